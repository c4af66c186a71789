// SqliteStore: runs, their suites and their context.
#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "spec/suite/suite.h"
#include "store/column_fields.h"
#include "store/find_run.h"
#include "store/sqlite/prune.h"
#include "store/sqlite/sqlite_store.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

// Rows that wait for the numbers of runs to come.
Status RemoveRowsOfNoRun(SqliteDatabase& database) {
  for (const char* table : {"cell", "score", "change", "sitting", "document_use"}) {
    ASSAY_CHECK_OK(database.Execute(
        fmt::format("DELETE FROM {} WHERE run > (SELECT coalesce(max(number), 0) FROM run NOT INDEXED)",
                    table)
            .c_str()));
  }
  return Ok();
}

}  // namespace

Status SqliteStore::BeginRun(const RunRecord& run) {
  ASSAY_CHECK_OK(CheckNames(run));
  return database_.InTransaction([&]() -> Status {
    // Of a run that never was here, in a stranger's file: they would be cells of this one.
    ASSAY_CHECK_OK(RemoveRowsOfNoRun(database_));
    return InsertRun(database_, run);
  });
}

Status SqliteStore::SaveSuite(const PackedSuite& suite) {
  ASSAY_TRY(SqliteStatement insert, database_.Prepare("INSERT OR IGNORE INTO suite VALUES(?1,?2)"));
  insert.BindBlob(1, BytesOf(suite.digest)).BindBlob(2, suite.frame);
  return insert.Run();
}

Result<Suite> SqliteStore::LoadSuite(const Digest& digest) { return SelectSuite(database_, digest); }

Status SqliteStore::UpdateRun(const RunRecord& run) {
  ASSAY_CHECK_OK(CheckNames(run));
  ASSAY_TRY(SqliteStatement update, database_.Prepare(UpdateRunSql()));
  BindRunUpdate(run, update);
  return update.Run();
}

Result<RunRecord> SqliteStore::ChangeRun(const std::string& run_id, const RunChange& change) {
  RunRecord run;
  const auto update = [this](const RunRecord& changed) { return UpdateRun(changed); };
  ASSAY_CHECK_OK(
      database_.InTransaction([&] { return ChangeRunOfId(run_id, Selection(), change, update, run); }));
  return run;
}

// `where`: all after the table, with ?1 for `text` and ?2 for `bytes`.
Result<std::vector<RunRecord>> SqliteStore::SelectRuns(std::string_view where, std::string_view text,
                                                       std::string_view bytes) {
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare(fmt::format("SELECT {} FROM run {}", RunColumns(), where)));
  select.Bind(1, text).BindBlob(2, bytes);
  return ReadRuns(select);
}

Result<std::vector<std::string>> SqliteStore::SelectRunIds(std::string_view where, std::string_view text) {
  ASSAY_TRY(SqliteStatement select, database_.Prepare(fmt::format("SELECT id FROM run {}", where)));
  select.Bind(1, text);
  return ReadRunIds(select);
}

Result<std::vector<RunRecord>> SqliteStore::Runs() { return SelectRuns("ORDER BY number"); }

RunSelection SqliteStore::Selection() {
  return {.runs = [this](std::string_view where, std::string_view text) { return SelectRuns(where, text); },
          .ids = [this](std::string_view where, std::string_view text) { return SelectRunIds(where, text); },
          // Of runs of one millisecond the one that began last. Its number first: a sort of whole rows
          // copies their texts several times.
          .last_worked_on =
              "WHERE number = (SELECT number FROM run ORDER BY max(started_ms, "
              "finished_ms) DESC, number DESC LIMIT 1)",
          .begins_with = "substr(id, 1, length(?1)) = ?1"};
}

Result<RunRecord> SqliteStore::FindRun(std::string_view name) { return FindRunByName(name, Selection()); }

Result<std::vector<RunRecord>> SqliteStore::Unfinished(const Digest& plan_digest, std::string_view spec) {
  return SelectRuns("WHERE state = 0 AND plan_digest = ?2 AND spec = ?1 ORDER BY number DESC", spec,
                    BytesOf(plan_digest));
}

Result<PruneSummary> SqliteStore::Prune(std::int64_t before_ms) {
  run_rows_.clear();
  sitting_rows_.clear();
  kept_blobs_.clear();
  keys_.Forget();
  if (watch_ != nullptr) watch_->FileWillChange(FileWatch::Change::kRewrite);
  Result<PruneSummary> summary = PruneStore(database_, before_ms);
  if (watch_ != nullptr) watch_->FileHasChanged(database_.MoveWal());
  return summary;
}

Result<StoreEnds> SqliteStore::Ends() {
  return EndsBy(
      "SELECT (SELECT coalesce(max(id), 0) FROM exchange), (SELECT coalesce(max(number), 0) FROM run), "
      "(SELECT coalesce(max(number), 0) FROM batch)");
}

// A sign before a column makes SQLite visit each row: by itself it takes the last one. An index may lack
// rows.
Result<StoreEnds> SqliteStore::EndsOfAllRows() {
  return EndsBy(
      "SELECT (SELECT coalesce(max(+id), 0) FROM exchange NOT INDEXED), (SELECT coalesce(max(+number), 0) "
      "FROM run NOT INDEXED), (SELECT coalesce(max(+number), 0) FROM batch NOT INDEXED)");
}

Result<StoreEnds> SqliteStore::EndsBy(const char* sql) {
  ASSAY_TRY(SqliteStatement ends, database_.Prepare(sql));
  ASSAY_TRY([[maybe_unused]] const bool row, ends.Step());
  const StoreEnds found{.exchange = ends.Int(0), .run = ends.Int(1), .batch = ends.Int(2)};
  ends.Reset();
  // Behind the highest number there is, SQLite draws numbers of rows: those of others would be this user's.
  constexpr std::int64_t kNumberMax = std::int64_t{1} << 62;
  for (const std::int64_t number : {found.exchange, found.run, found.batch}) {
    if (number > kNumberMax)
      return Error{ErrorCode::kCorrupt,
                   fmt::format("the store is damaged: it has a row with the number {}", number)};
  }
  return found;
}

Result<SqliteStore::RunRow> SqliteStore::RowOfRun(const std::string& run_id) {
  if (const auto known = run_rows_.find(run_id); known != run_rows_.end()) return known->second;
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare("SELECT number, coalesce(cells_of, number), cells FROM run WHERE id = ?1"));
  select.Bind(1, std::string_view(run_id));
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", run_id)};
  const std::int64_t cells = std::clamp<std::int64_t>(select.Int(2), 0, limits::kCellsMax);
  return run_rows_[run_id] = {
             .number = select.Int(0), .cells_of = select.Int(1), .cells = static_cast<CellIndex>(cells)};
}

}  // namespace assay
