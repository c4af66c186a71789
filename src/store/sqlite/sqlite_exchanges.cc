// SqliteStore: finding and reading exchanges, epochs and open batches.
#include <fmt/core.h>

#include <algorithm>

#include "store/column_fields.h"
#include "store/packed/packed_request.h"
#include "store/sqlite/sqlite_store.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

// Ends with its scope; null: it is part of another one.
class ReadTransaction final : public StoreReading {
 public:
  explicit ReadTransaction(SqliteDatabase* database) : database_(database) {}
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;
  ~ReadTransaction() override {
    // Nothing was written: there is nothing that a failure could lose.
    if (database_ != nullptr) static_cast<void>(database_->Execute("COMMIT").has_value());
  }

 private:
  SqliteDatabase* database_;
};

// Takes the rows of a query, those of an epoch in the order of their ids: what is left is the first exchange
// of the newest epoch. A text that was cut for want of room gives way to one that had more.
Status TakeBest(SqliteStatement& rows, std::optional<Exchange>& best) {
  while (true) {
    ASSAY_TRY(const bool row, rows.Step());
    if (!row) return Ok();
    Result<Exchange> exchange = ReadExchange(rows);
    if (!exchange) {
      rows.Reset();
      return std::move(exchange).error();
    }
    if (best && exchange->epoch < best->epoch) continue;
    if (!best || exchange->epoch > best->epoch || best->IsCutBelow(exchange->room))
      best = std::move(exchange).value();
  }
}

}  // namespace

Result<std::unique_ptr<StoreReading>> SqliteStore::BeginReading() {
  const bool is_part = database_.IsInTransaction();
  if (!is_part) ASSAY_CHECK_OK(database_.Execute("BEGIN"));
  return std::unique_ptr<StoreReading>(std::make_unique<ReadTransaction>(is_part ? nullptr : &database_));
}

void SqliteStore::ReadInPassing(bool in_passing) {
  const char* sql = in_passing ? "PRAGMA cache_size = -2000; PRAGMA shrink_memory" : kUsualCache;
  // What fails here has changed nothing that anybody reads.
  static_cast<void>(database_.Execute(sql).has_value());
}

// What is left of keys goes to where the next one finds it at once.
SqliteStore::~SqliteStore() {
  if (watch_ != nullptr && !watch_->AreFilesOurs()) {
    database_.LeaveWal();
    return;
  }
  if (!lock_.IsHeld() || !keys_.HasToMerge()) return;
  // Where that fails, the next one reads the exchanges themselves.
  static_cast<void>(database_.InTransaction([this] { return keys_.Merge(database_); }).has_value());
}

Result<std::vector<std::optional<Exchange>>> SqliteStore::Find(std::span<const Digest> keys,
                                                               EpochRange epochs) {
  std::vector<std::optional<Exchange>> found(keys.size());
  // One transaction for all look-ups: taking and giving back the reader's locks costs as much as finding.
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  ASSAY_CHECK_OK(RefreshKeys());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSAY_TRY(found[i], FindOne(keys[i], epochs));
    if (!found[i] && lock_.IsHeld()) missed_[keys[i]] = epochs;
  }
  return found;
}

Result<std::vector<Exchange>> SqliteStore::Get(std::span<const ExchangeId> ids) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  std::vector<Exchange> all;
  all.reserve(ids.size());
  for (const ExchangeId id : ids) {
    ASSAY_TRY(SizedExchange read, GetOne(id));
    all.push_back(std::move(read.exchange));
  }
  return all;
}

Result<std::vector<SizedExchange>> SqliteStore::GetSome(std::span<const ExchangeId> ids,
                                                        std::size_t bytes_max) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  std::vector<SizedExchange> some;
  std::size_t bytes = 0;
  for (const ExchangeId id : ids) {
    ASSAY_TRY(SizedExchange read, GetOne(id));
    bytes += read.reply_bytes;
    if (bytes > bytes_max && !some.empty()) break;
    some.push_back(std::move(read));
  }
  return some;
}

Result<SizedExchange> SqliteStore::GetOne(ExchangeId id) {
  get_.Bind(1, static_cast<std::int64_t>(id));
  ASSAY_TRY(const bool row, get_.Step());
  if (!row) return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", id)};
  Result<SizedExchange> read = ReadSizedExchange(get_);
  get_.Reset();
  return read;
}

Result<std::optional<std::uint64_t>> SqliteStore::FileBytes() {
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"));
  ASSAY_TRY([[maybe_unused]] const bool row, select.Step());
  return std::optional(static_cast<std::uint64_t>(std::max<std::int64_t>(select.Int(0), 0)));
}

Result<std::string> SqliteStore::RequestOf(ExchangeId id) {
  ASSAY_TRY(SqliteStatement request, database_.Prepare("SELECT request FROM exchange WHERE id = ?1"));
  request.Bind(1, static_cast<std::int64_t>(id));
  ASSAY_TRY(const bool row, request.Step());
  if (!row) return Error{ErrorCode::kCorrupt, fmt::format("the store has no exchange {}", id)};
  return UnpackRequest(request.Text(0));
}

Result<std::vector<StoredUsage>> SqliteStore::RecentUsage(std::size_t count) {
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare(fmt::format("SELECT {} FROM (SELECT * FROM exchange ORDER BY id DESC LIMIT ?1) "
                                          "WHERE error_code IS NULL AND input_tokens IS NOT NULL",
                                          UsageColumns())));
  select.Bind(1, static_cast<std::int64_t>(count));
  return ReadRecentUsage(select);
}

Status SqliteStore::VisitUsageOf(std::span<const ExchangeId> ids, const UsageVisitor& visit) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare(fmt::format("SELECT {} FROM exchange WHERE id = ?1 AND ({})", UsageColumns(),
                                          kPaidCondition)));
  for (const ExchangeId id : ids) {
    select.Bind(1, static_cast<std::int64_t>(id));
    ASSAY_TRY(const bool row, select.Step());
    if (row) {
      ASSAY_TRY(const StoredUsage used, ReadUsage(select));
      visit(used);
    }
    select.Reset();
  }
  return Ok();
}

Result<std::uint32_t> SqliteStore::NewestEpoch() {
  ASSAY_TRY(SqliteStatement newest,
            database_.Prepare("SELECT max((SELECT coalesce(max(epoch), 0) FROM run), "
                              "(SELECT coalesce(max(epoch), 0) FROM exchange WHERE id = "
                              "(SELECT max(id) FROM exchange)))"));
  ASSAY_TRY([[maybe_unused]] const bool row, newest.Step());
  return ReadEpoch(newest.Int(0));
}

// What counts in place of an exchange that was answered; nothing: the exchange itself.
Result<std::optional<Exchange>> SqliteStore::FindCounting(const Exchange& exchange) {
  if (exchange.is_set_aside) return std::optional<Exchange>();
  // Nobody else writes: what was missed is missing until it is written here.
  const auto missed = missed_.find(exchange.key);
  if (missed != missed_.end()) {
    const EpochRange epochs = missed->second;
    missed_.erase(missed);
    if (exchange.epoch >= epochs.first && exchange.epoch <= epochs.last) return std::optional<Exchange>();
  }
  ASSAY_TRY(std::optional<Exchange> earlier, FindOne(exchange.key, {exchange.epoch, exchange.epoch}));
  if (earlier && !earlier->CountsBefore(exchange)) earlier.reset();
  return earlier;
}

Result<std::uint32_t> SqliteStore::NewEpoch() {
  ASSAY_TRY(const std::uint32_t newest, NewestEpoch());
  return newest + 1;
}

Status SqliteStore::RefreshKeys() { return version_ < kKeyTableVersion ? Ok() : keys_.Refresh(); }

Result<std::optional<Exchange>> SqliteStore::FindOne(const Digest& key, EpochRange epochs) {
  std::optional<Exchange> best;
  const auto take_from = [&](SqliteStatement& rows) {
    rows.BindBlob(1, BytesOf(key)).Bind(2, std::int64_t{epochs.first}).Bind(3, std::int64_t{epochs.last});
    return TakeBest(rows, best);
  };
  ASSAY_CHECK_OK(take_from(find_));
  for (const ExchangeId id : keys_.Behind(key)) {
    get_behind_.Bind(4, static_cast<std::int64_t>(id));
    ASSAY_CHECK_OK(take_from(get_behind_));
  }
  return best;
}

Status SqliteStore::WriteExchange(Exchange& exchange) {
  const std::string reply = exchange.error ? std::string() : EncodeReply(exchange.reply);
  BindExchange(exchange, reply, packer_.Pack(exchange.request), insert_);
  ASSAY_CHECK_OK(insert_.Run());
  exchange.id = static_cast<ExchangeId>(database_.LastInsertId());
  keys_.Add(exchange);
  return WriteMedia(exchange);
}

Status SqliteStore::SetAside(std::span<const ExchangeId> ids) {
  ASSAY_TRY(SqliteStatement update,
            database_.Prepare("UPDATE exchange SET reusable = 0 WHERE id = ?1 AND reusable = 1"));
  return database_.InTransaction([&]() -> Status {
    for (const ExchangeId id : ids) {
      update.Bind(1, static_cast<std::int64_t>(id));
      ASSAY_CHECK_OK(update.Run());
    }
    return Ok();
  });
}

Result<std::vector<BatchRecord>> SqliteStore::Batches() {
  std::vector<BatchRecord> batches;
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare(fmt::format("SELECT {} FROM batch ORDER BY number", BatchColumns())));
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return batches;
    ASSAY_TRY(BatchRecord batch, ReadBatch(select));
    batches.push_back(std::move(batch));
  }
}

Status SqliteStore::SaveBatch(BatchRecord& batch) {
  ASSAY_TRY(SqliteStatement save, database_.Prepare("REPLACE " + IntoBatchSql()));
  std::string keys;
  for (const Digest& key : batch.keys) keys += BytesOf(key);
  BindBatch(batch, keys, save);
  ASSAY_CHECK_OK(save.Run());
  if (batch.number == 0) batch.number = database_.LastInsertId();
  return Ok();
}

Status SqliteStore::RemoveBatch(std::int64_t number) {
  ASSAY_TRY(SqliteStatement remove, database_.Prepare("DELETE FROM batch WHERE number = ?1"));
  remove.Bind(1, number);
  return remove.Run();
}

}  // namespace assay
