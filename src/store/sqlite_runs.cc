// Runs and what they were made of in SQL.
#include <fmt/core.h>

#include "store/column_fields.h"
#include "store/prune.h"
#include "store/sqlite_store.h"
#include "store/stored_rows.h"

namespace assay {

Status SqliteStore::BeginRun(const RunRecord& run) {
  ASSAY_TRY(SqliteStatement insert, database_.Prepare(InsertRunSql()));
  BindRun(run, insert);
  return insert.Run();
}

Status SqliteStore::SaveSuite(const PackedSuite& suite) {
  ASSAY_TRY(SqliteStatement insert, database_.Prepare("INSERT OR IGNORE INTO suite VALUES(?1,?2)"));
  insert.BindBlob(1, BytesOf(suite.digest)).BindBlob(2, suite.frame);
  return insert.Run();
}

Result<Suite> SqliteStore::LoadSuite(const Digest& digest) {
  const Error missing{ErrorCode::kNotFound, "the store does not hold the suite of this run"};
  if (version_ < 3) return missing;
  ASSAY_TRY(SqliteStatement select, database_.Prepare("SELECT frame FROM suite WHERE digest = ?1"));
  select.BindBlob(1, BytesOf(digest));
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return missing;
  return UnpackSuite(select.Text(0));
}

Status SqliteStore::UpdateRun(const RunRecord& run) {
  ASSAY_TRY(SqliteStatement update, database_.Prepare(UpdateRunSql()));
  BindRunUpdate(run, update);
  return update.Run();
}

Result<std::vector<RunRecord>> SqliteStore::Runs() {
  ASSAY_TRY(SqliteStatement select, database_.Prepare(fmt::format("SELECT {} FROM run ORDER BY number",
                                                                       RunColumns(version_))));
  std::vector<RunRecord> runs;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return runs;
    runs.push_back(ReadRun(select));
  }
}

Result<PruneSummary> SqliteStore::Prune(std::int64_t before_ms) {
  run_numbers_.clear();
  return PruneStore(database_, before_ms);
}

Result<StoreEnds> SqliteStore::Ends() {
  ASSAY_TRY(SqliteStatement ends,
            database_.Prepare("SELECT (SELECT coalesce(max(id), 0) FROM exchange), "
                              "(SELECT coalesce(max(number), 0) FROM run)"));
  ASSAY_TRY([[maybe_unused]] const bool row, ends.Step());
  const StoreEnds found{.exchange = ends.Int(0), .run = ends.Int(1)};
  ends.Reset();
  return found;
}

Result<std::int64_t> SqliteStore::RunNumber(const std::string& run_id) {
  if (const auto known = run_numbers_.find(run_id); known != run_numbers_.end()) return known->second;
  ASSAY_TRY(SqliteStatement select, database_.Prepare("SELECT number FROM run WHERE id = ?1"));
  select.Bind(1, run_id);
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no run {}", run_id)};
  return run_numbers_[run_id] = select.Int(0);
}

}  // namespace assay
