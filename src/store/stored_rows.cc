// The lists of columns of each record, and the bounds that numbers from a store must keep.
#include "store/stored_rows.h"

#include <limits>
#include <tuple>

#include "base/limits.h"
#include "spec/exchange/replay.h"
#include "spec/suite/suite.h"
#include "store/column_fields.h"
#include "store/columns.h"
#include "store/packed/packed_request.h"
#include "store/postgres/client/pg.h"
#include "store/sqlite/sqlite.h"

namespace assay {

namespace {

// Numbers as an assay writes them, whoever wrote the file: so that no sum of them overflows, and nothing that
// is printed gets long.
constexpr std::int64_t kCountMax = 1'000'000'000'000;
constexpr std::int64_t kTimeMsMax = 253'402'300'799'999;  // the end of the year 9999
constexpr std::int64_t kUtcOffsetMinMax = std::int64_t{24} * 60;
constexpr double kMeanMax = 1e6;
constexpr std::int64_t kCostNanoUsdMax = 1'000'000'000'000'000'000;
constexpr std::int64_t kAmountNanoUsdMax = 1'000'000'000'000'000;  // of one call
// Epochs count up by one; the newest one of a store is below it, so that there is a next one.
constexpr std::int64_t kEpochMax = 1'000'000'000;
constexpr std::int64_t kShardsMax = 1'000'000;
constexpr std::size_t kDetailsBytesMax = std::size_t{16} << 20;
constexpr std::size_t kShortTextBytesMax = std::size_t{64} << 10;  // as of the titles of suites
constexpr std::size_t kListTextBytesMax = std::size_t{1} << 20;    // of files, or of languages
// Of runs that are read together: those of a few may be long, but not those of all.
constexpr std::size_t kTextsOfRunsMax = std::size_t{128} << 20;
constexpr std::size_t kUsualTextsOfRunMax = std::size_t{64} << 10;

using Use = Column::Use;

// Fields of the two columns of an exchange's error: the code stands before the message.
template <class Optional>
struct ErrorCodeField {
  Optional& error;
  template <class To>
  void Bind(To& to, int at) const {
    if (error) {
      to.Bind(at, static_cast<std::int64_t>(error->code));
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    if (!row.IsNull(at)) error = Error{static_cast<ErrorCode>(row.Int(at)), {}};
    return true;
  }
};
template <class Optional>
struct ErrorTextField {
  Optional& error;
  template <class To>
  void Bind(To& to, int at) const {
    if (error) {
      to.Bind(at, CutText(error->message));
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    if (error) error->message = CutText(row.Text(at));
    return true;
  }
};

// A part of what a run cost: all of its columns are NULL where nobody has added it up.
template <class Optional, class Amount>
struct CostPart {
  Optional& cost;
  Amount RunCost::*part;
  std::int64_t max;
  template <class To>
  void Bind(To& to, int at) const {
    if (cost) {
      to.Bind(at, static_cast<std::int64_t>((*cost).*part));
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    if (row.IsNull(at)) return true;
    if (!cost) cost.emplace();
    (*cost).*part = static_cast<Amount>(std::clamp<std::int64_t>(row.Int(at), 0, max));
    return true;
  }
};

// A number that no assay writes says nothing.
template <class Optional>
struct EndingOrNull {
  Optional& ending;
  template <class To>
  void Bind(To& to, int at) const {
    if (ending) {
      to.Bind(at, static_cast<std::int64_t>(*ending));
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    const bool is_known =
        !row.IsNull(at) && row.Int(at) >= 0 && row.Int(at) <= static_cast<std::int64_t>(kLastStoredEnding);
    if (is_known) ending = static_cast<RunEnding>(row.Int(at));
    return true;
  }
};

// Whether the exchange may answer the same request again.
struct ReusableField {
  const Exchange& exchange;
  template <class To>
  void Bind(To& to, int at) const {
    to.Bind(at, std::int64_t{exchange.Reusable() ? 1 : 0});
  }
  template <class Row>
  bool Read(const Row&, int) const {
    return true;
  }
};

template <class Time>
auto TimeMs(Time& value) {
  return Bounded{value, 0, kTimeMsMax};
}
template <class Time>
auto TimeUs(Time& value) {
  return Bounded{value, 0, kTimeMsMax * 1000};
}
template <class Minutes>
auto UtcOffset(Minutes& value) {
  return Bounded{value, -kUtcOffsetMinMax, kUtcOffsetMinMax};
}

template <class AnEpoch>
auto Epoch(AnEpoch& value) {
  return Checked{value, 0, kEpochMax};
}
// Rows count from 1. What is below it would count as nobody's in the user's list of foreign rows.
template <class ANumber>
auto RowNumber(ANumber& value) {
  return Checked{value, 1, std::numeric_limits<std::int64_t>::max()};
}
template <class ARole>
auto Role(ARole& value) {
  return Checked{value, 0, static_cast<std::int64_t>(kLastRequestRole)};
}

// Money, where somebody said or guessed it.
template <class Optional>
struct AmountOrNull {
  Optional& amount;
  template <class To>
  void Bind(To& to, int at) const {
    if (amount) {
      to.Bind(at, *amount);
    } else {
      to.BindNull(at);
    }
  }
  template <class Row>
  bool Read(const Row& row, int at) const {
    if (!row.IsNull(at)) amount = std::clamp<std::int64_t>(row.Int(at), 0, kAmountNanoUsdMax);
    return true;
  }
};

template <class TheUsage, class Visitor>
void VisitTokens(TheUsage& usage, Visitor&& visit) {
  visit(Column{"input_tokens"}, KnownCount{usage.input_tokens, usage.known, kCountMax});
  visit(Column{"output_tokens"}, KnownCount{usage.output_tokens, usage.known, kCountMax});
  visit(Column{"reasoning_tokens"}, KnownCount{usage.reasoning_tokens, usage.known, kCountMax});
  visit(Column{"cached_read_tokens"}, KnownCount{usage.cached_read_tokens, usage.known, kCountMax});
  visit(Column{"cached_write_tokens"}, KnownCount{usage.cached_write_tokens, usage.known, kCountMax});
  visit(Column{"cost_nano_usd"}, AmountOrNull{usage.billing.cost_nano_usd});
  visit(Column{"estimated_nano_usd"}, AmountOrNull{usage.billing.estimated_nano_usd});
  visit(Column{"hour_write_tokens"}, CountOrNull{usage.billing.hour_write_tokens});
  visit(Column{"tools_nano_usd"}, CountOrNull{usage.billing.tools_nano_usd});
}

// `reply`, `request`: as they are stored; "" of an error.
template <class AnExchange, class Visitor>
void VisitExchange(AnExchange& exchange, std::string_view& reply, std::string_view& request,
                   Visitor&& visit) {
  visit(Column{.name = "id", .use = Use::kRead}, RowNumber(exchange.id));
  visit(Column{"key"}, DigestBytes{exchange.key});
  visit(Column{"epoch"}, Epoch(exchange.epoch));
  visit(Column{.name = "reusable", .use = Use::kWritten}, ReusableField{exchange});
  visit(Column{"kind"}, Checked{exchange.kind, 0, static_cast<std::int64_t>(RequestKind::kCorpus)});
  visit(Column{"role"}, Role(exchange.role));
  visit(Column{"error_code"}, ErrorCodeField{exchange.error});
  visit(Column{"error"}, ErrorTextField{exchange.error});
  VisitTokens(exchange.usage, visit);
  visit(Column{"started_ms"}, TimeMs(exchange.started_ms));
  visit(Column{.name = "first_token_ms", .use = Use::kWritten}, Fixed{});
  visit(Column{.name = "duration_ms", .use = Use::kWritten}, Fixed{});
  visit(Column{"first_token_us"}, TimeUs(exchange.first_token_us));
  visit(Column{"duration_us"}, TimeUs(exchange.duration_us));
  visit(Column{"finish_reason"}, Words{exchange.finish_reason});
  visit(Column{"tries"}, Number{exchange.tries});
  visit(Column{"room"}, CountOrNull{exchange.room});
  visit(Column{"price_factor"}, Share{exchange.price_factor});
  visit(Column{"reply"}, Bytes{reply});
  visit(Column{.name = "request", .use = Use::kWritten}, Bytes{request});
  visit(Column{.name = "raw", .use = Use::kWritten}, Bytes{exchange.raw});
}

// Only read; where it is damaged there is none.
struct RequestField {
  std::string& text;
  template <class Row>
  bool Read(const Row& row, int at) const {
    text = UnpackRequest(row.Text(at)).value_or("");
    return true;
  }
};

template <class Visitor>
void VisitUsage(StoredUsage& used, Visitor&& visit) {
  visit(Column{"role"}, Role(used.role));
  visit(Column{"request"}, RequestField{used.request});
  VisitTokens(used.usage, visit);
  visit(Column{"started_ms"}, TimeMs(used.started_ms));
  visit(Column{"duration_us"}, TimeUs(used.duration_us));
  visit(Column{"price_factor"}, Share{used.price_factor});
}

// What UpdateRun writes.
template <class Run, class Visitor>
void VisitRunUpdate(Run& run, Visitor&& visit) {
  visit(Column{"state"}, Checked{run.state, 0, static_cast<std::int64_t>(RunState::kFinished)});
  visit(Column{"finished_ms"}, TimeMs(run.finished_ms));
  visit(Column{"mean_score"}, Mean{run.mean_score, kMeanMax});
  visit(Column{"summary"}, TextOrNull{run.summary});
  visit(Column{"run_label"}, Name{run.context.run_label, NameKind::kRunLabel});
  visit(Column{"generators"}, Text{run.generators, kShortTextBytesMax});
  visit(Column{"inputs"}, DigestOrNull{run.inputs});
  visit(Column{"tables"}, TextOrNull{run.tables});
  visit(Column{"cost_nano_usd"}, CostPart{run.cost, &RunCost::nano_usd, kCostNanoUsdMax});
  visit(Column{"unpriced"}, CostPart{run.cost, &RunCost::unpriced, kCountMax});
  visit(Column{"estimated_nano_usd"}, CostPart{run.cost, &RunCost::estimated_nano_usd, kCostNanoUsdMax});
  visit(Column{"said"}, TextOrNull{run.said});
  visit(Column{"stop"}, EndingOrNull{run.ending});
  visit(Column{"given_up"}, TextOrNull{run.given_up});
}

constexpr Column kRequestsSent{
    .name = "requests_sent",
    .reads =
        "requests_sent + CAST((SELECT coalesce(sum(CAST(s.requests_sent AS DOUBLE PRECISION)), 0) FROM "
        "sitting AS s WHERE s.run = run.number) AS BIGINT)"};

template <class Run, class Visitor>
void VisitRun(Run& run, Visitor&& visit) {
  auto& context = run.context;
  visit(Column{.name = "number", .use = Use::kRead}, RowNumber(run.number));
  visit(Column{"id"}, Name{context.run_id, NameKind::kRun});
  visit(Column{"title"}, Text{run.title, kShortTextBytesMax});
  visit(Column{"dialect"}, Name{run.dialect, NameKind::kDialect});
  visit(Column{"source"}, Text{run.source, kListTextBytesMax});
  visit(Column{"plan_digest"}, DigestBytes{run.plan_digest});
  visit(Column{"first_epoch"}, Epoch(run.first_epoch));
  visit(Column{"epoch"}, Epoch(run.epoch));
  VisitRunUpdate(run, visit);
  visit(Column{"cells"}, Bounded{run.cells, 0, limits::kCellsMax});
  visit(kRequestsSent, Bounded{run.requests_sent, 0, kCountMax});
  visit(Column{"started_ms"}, TimeMs(context.started_ms));
  visit(Column{"utc_offset_min"}, UtcOffset(context.utc_offset_min));
  visit(Column{"suite_root"}, Text{context.suite_root, kShortTextBytesMax});
  visit(Column{"assay_version"}, Name{context.assay_version, NameKind::kVersion});
  visit(Column{"seed"}, Number{context.seed});
  visit(Column{"suite"}, DigestOrNull{run.suite});
  visit(Column{"toolchains"}, Text{run.toolchains, kListTextBytesMax});
  visit(Column{.name = "has_outcomes", .use = Use::kWritten}, Fixed{1});
  visit(Column{"prompt_ms"}, TimeMs(context.prompts.ms));
  visit(Column{"prompt_utc_offset_min"}, UtcOffset(context.prompts.utc_offset_min));
  visit(Column{"spec"}, Text{run.spec});
  visit(Column{"cells_of"}, CountOrNull{run.cells_of});
  visit(Column{"planned"}, TextOrNull{run.planned});
}

// `keys`: of its requests, one after the other.
template <class Batch, class Visitor>
void VisitBatch(Batch& batch, std::string_view& keys, Visitor&& visit) {
  visit(Column{"number"}, CountOrNull{batch.number});
  visit(Column{"id"}, Name{batch.id, NameKind::kBatch});
  visit(Column{"provider"}, Name{batch.provider, NameKind::kBatch});
  visit(Column{"endpoint"}, Name{batch.endpoint, NameKind::kBatch});
  visit(Column{"created_ms"}, Number{batch.created_ms});
  visit(Column{"state"}, Checked{batch.state, 0, static_cast<std::int64_t>(BatchState::kEnded)});
  visit(Column{"keys"}, Bytes{keys});
  visit(Column{"details"}, Text{batch.details, kDetailsBytesMax});
}

}  // namespace

std::string ExchangeColumns() {
  SelectedColumns columns;
  Exchange none;
  std::string_view reply;
  std::string_view request;
  VisitExchange(none, reply, request, columns);
  return columns.list();
}

std::string UsageColumns() {
  SelectedColumns columns;
  StoredUsage none;
  VisitUsage(none, columns);
  return columns.list();
}

std::string RunColumns() {
  SelectedColumns columns;
  RunRecord none;
  VisitRun(none, columns);
  return columns.list();
}

std::string BatchColumns() {
  SelectedColumns columns;
  BatchRecord none;
  std::string_view keys;
  VisitBatch(none, keys, columns);
  return columns.list();
}

template <class Row>
Result<SizedExchange> ReadSizedExchange(const Row& row) {
  SizedExchange read;
  Exchange& exchange = read.exchange;
  std::string_view reply;
  std::string_view request;
  ColumnReader reader(row);
  VisitExchange(exchange, reply, request, reader);
  ASSAY_CHECK_OK(reader.status());
  read.reply_bytes = reply.size();
  if (exchange.error) return read;
  Result<Reply> said = DecodeReply(exchange.kind, reply);
  if (!said) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("the store is damaged: the reply of exchange {} cannot be read: {}", exchange.id,
                             said.error().message)};
  }
  exchange.reply = *std::move(said);
  return read;
}

template <class Row>
Result<Exchange> ReadExchange(const Row& row) {
  ASSAY_TRY(SizedExchange read, ReadSizedExchange(row));
  return std::move(read.exchange);
}

template <class Row>
Result<StoredUsage> ReadUsage(const Row& row) {
  StoredUsage used;
  ColumnReader reader(row);
  VisitUsage(used, reader);
  ASSAY_CHECK_OK(reader.status());
  return used;
}

template <class Row>
Result<RunRecord> ReadRun(const Row& row) {
  RunRecord run;
  ColumnReader reader(row);
  VisitRun(run, reader);
  ASSAY_CHECK_OK(reader.status());
  return run;
}

template <class Row>
Result<BatchRecord> ReadBatch(const Row& row) {
  BatchRecord batch;
  std::string_view keys;
  ColumnReader reader(row);
  VisitBatch(batch, keys, reader);
  ASSAY_CHECK_OK(reader.status());
  constexpr std::size_t kKeyBytes = std::tuple_size_v<Digest>;
  if (keys.size() % kKeyBytes != 0)
    return Error{ErrorCode::kCorrupt, "the store is damaged: keys of a batch of wrong size"};
  batch.keys.resize(keys.size() / kKeyBytes);
  for (std::size_t i = 0; i < batch.keys.size(); ++i)
    std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(i * kKeyBytes), kKeyBytes, batch.keys[i].begin());
  return batch;
}

namespace {

// The names of a record, as ReadRun asks for them.
class NameChecker {
 public:
  template <class Field>
  void operator()(const Column&, const Field& field) {
    if constexpr (requires { field.Problem(); }) {
      if (problem_.empty()) problem_ = field.Problem();
    }
  }
  const std::string& problem() const { return problem_; }

 private:
  std::string problem_;
};

InsertedColumns InsertedOfExchange() {
  InsertedColumns columns;
  const Exchange none;
  std::string_view reply;
  std::string_view request;
  VisitExchange(none, reply, request, columns);
  return columns;
}

}  // namespace

std::string InsertExchangeSql() { return "INSERT INTO exchange" + InsertedOfExchange().sql(); }

std::string InsertedExchangeColumns() { return InsertedOfExchange().names(); }

template <class To>
void BindExchange(const Exchange& exchange, std::string_view reply, std::string_view request, To& insert) {
  VisitExchange(exchange, reply, request, ColumnBinder(insert));
}

Result<std::string> ReadName(NameKind kind, std::string_view text) {
  const std::string problem = NameProblem(kind, text);
  if (!problem.empty()) return Error{ErrorCode::kCorrupt, "the store is damaged: " + problem};
  return std::string(text);
}

namespace {

std::size_t TextBytes(const RunRecord& run) {
  std::size_t bytes = 0;
  for (const std::string* text : {&run.title, &run.source, &run.summary, &run.generators, &run.tables,
                                  &run.said, &run.given_up, &run.toolchains, &run.spec, &run.planned})
    bytes += text->size();
  return bytes;
}

}  // namespace

template <class Statement>
Result<std::vector<RunRecord>> ReadRuns(Statement& select) {
  std::vector<RunRecord> runs;
  std::size_t text_bytes = 0;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return runs;
    ASSAY_TRY(RunRecord run, ReadRun(select));
    text_bytes += TextBytes(run);
    runs.push_back(std::move(run));
    if (text_bytes > kTextsOfRunsMax + runs.size() * kUsualTextsOfRunMax)
      return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: the texts of {} runs take {} MB",
                                                    runs.size(), text_bytes / 1'000'000)};
  }
}

template <class Statement>
Result<std::vector<std::string>> ReadRunIds(Statement& select) {
  std::vector<std::string> ids;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return ids;
    ASSAY_TRY(ids.emplace_back(), ReadName(NameKind::kRun, select.Text(0)));
  }
}

template <class Statement>
Result<std::vector<StoredUsage>> ReadRecentUsage(Statement& select) {
  std::vector<StoredUsage> rows;
  std::size_t bytes = 0;
  while (bytes <= kRecentRequestsBytesMax) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) break;
    ASSAY_TRY(StoredUsage used, ReadUsage(select));
    bytes += used.request.size();
    rows.push_back(std::move(used));
  }
  return rows;
}

std::optional<std::string> DigestOfHex(std::string_view hex) {
  constexpr std::string_view kHex = "0123456789abcdef";
  if (hex.size() != 2 * std::tuple_size_v<Digest>) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const std::size_t high = kHex.find(hex[i]);
    const std::size_t low = kHex.find(hex[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

template <class Database>
Result<std::shared_ptr<const Blob>> SelectBlob(Database& database, std::string_view sha256) {
  const std::optional<std::string> digest = DigestOfHex(sha256);
  if (!digest) return std::shared_ptr<const Blob>();
  ASSAY_TRY(auto select, database.Prepare("SELECT bytes FROM blob WHERE sha256 = ?1"));
  select.BindBlob(1, *digest);
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return std::shared_ptr<const Blob>();
  auto blob = std::make_shared<Blob>();
  blob->sha256 = sha256;
  blob->bytes = select.Text(0);
  if (Hex(Sha256Of(blob->bytes)) != sha256)
    return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: {} has other bytes", sha256)};
  return std::shared_ptr<const Blob>(std::move(blob));
}

template <class Statement>
Status CountRecordings(Statement& select, std::map<std::string, std::uint64_t>& counts) {
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return Ok();
    ASSAY_TRY(const std::string end, UnpackRequest(select.Text(0)));
    if (const std::string_view name = RecordingOf(end); !name.empty()) ++counts[std::string(name)];
  }
}

Result<std::int64_t> ReadShard(std::int64_t number) {
  if (number >= 1 && number <= kShardsMax) return number;
  return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: there is no shard {}", number)};
}

Result<std::uint32_t> ReadEpoch(std::int64_t number) {
  if (number >= 0 && number < kEpochMax) return static_cast<std::uint32_t>(number);
  return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: there is no epoch {}", number)};
}

Status CheckNames(const RunRecord& run) {
  NameChecker checker;
  VisitRun(run, checker);
  if (checker.problem().empty()) return Ok();
  return Error{ErrorCode::kCorrupt, fmt::format("no store keeps such a run: {}", checker.problem())};
}

std::string InsertRunSql() {
  InsertedColumns columns;
  const RunRecord none;
  VisitRun(none, columns);
  return "INSERT INTO run" + columns.sql();
}

template <class To>
void BindRun(const RunRecord& run, To& insert) {
  VisitRun(run, ColumnBinder(insert));
}

template <class Database>
Status InsertRun(Database& database, const RunRecord& run) {
  RunRecord begun = run;
  if (run.cells_of > 0) {
    // Those of a run whose cells are another's are that other one's.
    ASSAY_TRY(auto owner, database.Prepare("SELECT coalesce(cells_of, number) FROM run WHERE number = ?1"));
    owner.Bind(1, run.cells_of);
    ASSAY_TRY(const bool row, owner.Step());
    if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no run number {}", run.cells_of)};
    begun.cells_of = owner.Int(0);
  }
  ASSAY_TRY(auto insert, database.Prepare(InsertRunSql()));
  BindRun(begun, insert);
  return insert.Run();
}

template <class Database>
Result<Suite> SelectSuite(Database& database, const Digest& digest) {
  ASSAY_TRY(auto select, database.Prepare("SELECT frame FROM suite WHERE digest = ?1"));
  select.BindBlob(1, BytesOf(digest));
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return Error{ErrorCode::kNotFound, "the store does not hold the suite of this run"};
  return UnpackSuite(select.Text(0), digest);
}

std::string UpdateRunSql() {
  UpdatedColumns columns;
  const RunRecord none;
  VisitRunUpdate(none, columns);
  return fmt::format("UPDATE run SET {} WHERE id = ?{}", columns.sql(), columns.count() + 1);
}

template <class To>
void BindRunUpdate(const RunRecord& run, To& update) {
  ColumnBinder binder(update);
  VisitRunUpdate(run, binder);
  binder(Column{"id"}, Text{run.context.run_id});
}

std::string IntoBatchSql() {
  InsertedColumns columns;
  const BatchRecord none;
  std::string_view keys;
  VisitBatch(none, keys, columns);
  return "INTO batch" + columns.sql();
}

template <class To>
void BindBatch(const BatchRecord& batch, std::string_view keys, To& save) {
  VisitBatch(batch, keys, ColumnBinder(save));
}

template Result<SizedExchange> ReadSizedExchange(const SqliteStatement&);
template Result<SizedExchange> ReadSizedExchange(const PgStatement&);
template Result<Exchange> ReadExchange(const SqliteStatement&);
template Result<Exchange> ReadExchange(const PgStatement&);
template Result<StoredUsage> ReadUsage(const SqliteStatement&);
template Result<StoredUsage> ReadUsage(const PgStatement&);
template Result<RunRecord> ReadRun(const SqliteStatement&);
template Result<RunRecord> ReadRun(const PgStatement&);
template Result<std::vector<RunRecord>> ReadRuns(SqliteStatement&);
template Result<std::vector<RunRecord>> ReadRuns(PgStatement&);
template Result<std::vector<std::string>> ReadRunIds(SqliteStatement&);
template Result<std::vector<std::string>> ReadRunIds(PgStatement&);
template Result<std::vector<StoredUsage>> ReadRecentUsage(SqliteStatement&);
template Result<std::vector<StoredUsage>> ReadRecentUsage(PgStatement&);
template Result<std::shared_ptr<const Blob>> SelectBlob(SqliteDatabase&, std::string_view);
template Result<std::shared_ptr<const Blob>> SelectBlob(PgDatabase&, std::string_view);
template Status CountRecordings(SqliteStatement&, std::map<std::string, std::uint64_t>&);
template Status CountRecordings(PgStatement&, std::map<std::string, std::uint64_t>&);
template Result<BatchRecord> ReadBatch(const SqliteStatement&);
template Result<BatchRecord> ReadBatch(const PgStatement&);
template void BindExchange(const Exchange&, std::string_view, std::string_view, SqliteStatement&);
template void BindExchange(const Exchange&, std::string_view, std::string_view, PgArrays&);
template void BindRun(const RunRecord&, SqliteStatement&);
template void BindRun(const RunRecord&, PgStatement&);
template Status InsertRun(SqliteDatabase&, const RunRecord&);
template Status InsertRun(PgDatabase&, const RunRecord&);
template Result<Suite> SelectSuite(SqliteDatabase&, const Digest&);
template Result<Suite> SelectSuite(PgDatabase&, const Digest&);
template void BindRunUpdate(const RunRecord&, SqliteStatement&);
template void BindRunUpdate(const RunRecord&, PgStatement&);
template void BindBatch(const BatchRecord&, std::string_view, SqliteStatement&);
template void BindBatch(const BatchRecord&, std::string_view, PgStatement&);

}  // namespace assay
