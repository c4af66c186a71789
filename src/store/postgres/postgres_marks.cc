// Keeps what was made elsewhere in the table `made_elsewhere`. A process that copies marks all that it adds,
// and narrows the marks when it has copied everything and knows which rows are whose.
#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "store/marks.h"
#include "store/postgres/postgres_store.h"

namespace assay {

namespace {

constexpr std::int64_t kExchanges = 0;  // made_elsewhere.kind
constexpr std::int64_t kRuns = 1;

Result<bool> HasMarks(PgDatabase& database) {
  ASSAY_TRY(
      PgStatement select,
      database.Prepare(
          "SELECT count(*) FROM pg_class WHERE relname = 'made_elsewhere' AND pg_table_is_visible(oid)"));
  ASSAY_TRY(const bool row, select.Step());
  return row && select.Int(0) > 0;
}

Status InsertMarks(PgDatabase& database, std::int64_t kind, const RowRanges& ranges) {
  if (ranges.empty()) return Ok();
  PgArray first;
  PgArray last;
  for (const RowRange& each : ranges.all()) {
    first.Add(each.first);
    last.Add(each.last);
  }
  ASSAY_TRY(PgStatement insert,
            database.Prepare(
                "INSERT INTO made_elsewhere SELECT ?1::smallint, a, b FROM unnest(?2, ?3) AS ranges(a, b) "
                "ON CONFLICT DO NOTHING"));
  return insert.Bind(1, kind).Bind(2, first).Bind(3, last).Run();
}

Status DeleteMarks(PgDatabase& database, std::int64_t kind, const std::vector<std::uint64_t>& firsts) {
  ASSAY_TRY(PgStatement remove,
            database.Prepare("DELETE FROM made_elsewhere WHERE kind = ?1 AND first = ANY(?2)"));
  return remove.Bind(1, kind).Bind(2, firsts).Run();
}

Error NoServer() { return {ErrorCode::kUnsupported, "only the store of a server keeps marks"}; }

}  // namespace

Status PostgresStore::MarkExchanges(std::span<const Exchange> exchanges) {
  if (!coming_) return Ok();
  RowRanges ids;
  for (const Exchange& exchange : exchanges) {
    const auto id = static_cast<std::int64_t>(exchange.id);
    ids.Add({.first = id, .last = id});
  }
  for (const RowRange& each : ids.all()) coming_->exchanges.push_back(static_cast<std::uint64_t>(each.first));
  return InsertMarks(database_, kExchanges, ids);
}

Status PostgresStore::MarkRun(const std::string& run_id) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  coming_->runs.push_back(static_cast<std::uint64_t>(run.number));
  RowRanges number;
  number.Add({.first = run.number, .last = run.number});
  return InsertMarks(database_, kRuns, number);
}

Status PostgresStore::SettleMarks(const MarkedRows& came) {
  const Coming coming = std::exchange(coming_, std::nullopt).value_or(Coming());
  return InTransaction([&]() -> Status {
    ASSAY_CHECK_OK(DeleteMarks(database_, kExchanges, coming.exchanges));
    ASSAY_CHECK_OK(DeleteMarks(database_, kRuns, coming.runs));
    ASSAY_CHECK_OK(InsertMarks(database_, kExchanges, came.exchanges));
    return InsertMarks(database_, kRuns, came.runs);
  });
}

Result<MarkedRows> ReadServerMarks(Store& store) {
  MarkedRows marks;
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return marks;
  PgDatabase& database = postgres->database();
  ASSAY_TRY(const bool has_marks, HasMarks(database));
  if (!has_marks) return marks;
  ASSAY_TRY(PgStatement select,
            database.Prepare("SELECT kind, first, last FROM made_elsewhere ORDER BY kind, first"));
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return marks;
    const RowRange range{.first = select.Int(1), .last = select.Int(2)};
    if (range.first > range.last || select.Int(0) < kExchanges || select.Int(0) > kRuns) {
      return Error{
          ErrorCode::kCorrupt,
          fmt::format("{}: the store is damaged: its table made_elsewhere has a row of kind {} from {} "
                      "to {}",
                      database.shown(), select.Int(0), range.first, range.last)};
    }
    (select.Int(0) == kRuns ? marks.runs : marks.exchanges).Add(range);
  }
}

Status MarkWhatComesToServer(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  if (postgres == nullptr) return NoServer();
  postgres->MarkWhatComes();
  return Ok();
}

Status SettleServerMarks(Store& store, const MarkedRows& came) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  return postgres == nullptr ? Status(NoServer()) : postgres->SettleMarks(came);
}

Status ClearServerMarks(Store& store) {
  auto* postgres = dynamic_cast<PostgresStore*>(&store);
  return postgres == nullptr ? Status(NoServer())
                             : postgres->database().Execute("DELETE FROM made_elsewhere");
}

}  // namespace assay
