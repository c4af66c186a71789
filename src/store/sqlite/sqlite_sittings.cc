// SqliteStore: sittings, their numbered commits, and what changed since.
#include <fmt/core.h>

#include "store/cell_rows.h"
#include "store/sqlite/sqlite_store.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

Result<RunPart> PartOf(std::int64_t number) {
  if (number >= 0 && number < kRunPartCount) return static_cast<RunPart>(number);
  return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: a run has no part {}", number)};
}

}  // namespace

Result<SittingId> SqliteStore::BeginSitting(const std::string& run_id, RunPart part, std::int64_t now_ms,
                                            const std::string& assay_version) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  ASSAY_TRY(SqliteStatement insert,
            database_.Prepare("INSERT INTO sitting(run, part, started_ms, last_ms, commits, requests_sent, "
                              "version) VALUES (?1, ?2, ?3, ?3, 0, 0, ?4)"));
  insert.Bind(1, run.number)
      .Bind(2, static_cast<std::int64_t>(part))
      .Bind(3, now_ms)
      .Bind(4, std::string_view(assay_version));
  ASSAY_CHECK_OK(insert.Run());
  return database_.LastInsertId();
}

Result<std::vector<Exchange>> SqliteStore::Commit(SittingId sitting, std::uint64_t number, SittingWork work) {
  std::vector<Exchange> counting;
  const Status written = database_.InTransaction([&]() -> Status {
    ASSAY_TRY(counting, WriteWork(sitting, number, std::move(work)));
    return Ok();
  });
  if (written) return counting;
  sitting_rows_.erase(sitting);
  kept_blobs_.clear();
  keys_.Forget();
  return written.error();
}

Result<SqliteStore::SittingRow> SqliteStore::RowOfSitting(SittingId sitting) {
  if (const auto known = sitting_rows_.find(sitting); known != sitting_rows_.end()) return known->second;
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare("SELECT run, part, commits FROM sitting WHERE number = ?1"));
  select.Bind(1, sitting);
  ASSAY_TRY(const bool row, select.Step());
  if (!row) return Error{ErrorCode::kNotFound, fmt::format("the store has no sitting {}", sitting)};
  ASSAY_TRY(const RunPart part, PartOf(select.Int(1)));
  return sitting_rows_[sitting] = {
             .run = select.Int(0), .part = part, .commits = static_cast<std::uint64_t>(select.Int(2))};
}

Result<std::vector<Exchange>> SqliteStore::WriteWork(SittingId sitting, std::uint64_t number,
                                                     SittingWork work) {
  ASSAY_TRY(const SittingRow row, RowOfSitting(sitting));
  if (number <= row.commits) return CommittedAs(sitting, number, row);
  ASSAY_CHECK_OK(RefreshKeys());
  for (Exchange& exchange : work.exchanges) {
    ASSAY_TRY(std::optional<Exchange> earlier, FindCounting(exchange));
    if (earlier) {
      exchange = *std::move(earlier);
    } else {
      ASSAY_CHECK_OK(WriteExchange(exchange));
    }
  }
  for (const CellResult& cell : work.cells) ASSAY_CHECK_OK(WriteCell(row, cell));
  ASSAY_CHECK_OK(WriteChange(sitting, number, row, work));
  if (keys_.IsFull()) ASSAY_CHECK_OK(keys_.Merge(database_));
  return std::move(work.exchanges);
}

// The exchanges of a commit that is there already.
Result<std::vector<Exchange>> SqliteStore::CommittedAs(SittingId sitting, std::uint64_t number,
                                                       const SittingRow& row) {
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare("SELECT exchanges FROM change WHERE run = ?1 AND sitting = ?2 AND "
                              "commit_number = ?3"));
  select.Bind(1, row.run).Bind(2, sitting).Bind(3, static_cast<std::int64_t>(number));
  ASSAY_TRY(const bool found, select.Step());
  if (!found) return Error{ErrorCode::kNotFound, fmt::format("the sitting has no commit {}", number)};
  ASSAY_TRY(const std::vector<ExchangeId> ids, DecodeNumbers(select.Text(0)));
  return Get(ids);
}

Status SqliteStore::WriteCell(const SittingRow& row, const CellResult& cell) {
  const auto index = static_cast<std::int64_t>(cell.cell);
  const std::string links = EncodeStepLinks(cell.steps);
  insert_cell_.Bind(1, row.run).Bind(2, static_cast<std::int64_t>(row.part)).Bind(3, index);
  insert_cell_.BindBlob(4, links);
  BindColumns(cell.columns, 5, insert_cell_);
  ASSAY_CHECK_OK(insert_cell_.Run());
  if (cell.scores.empty() || row.part != RunPart::kRun) return Ok();
  insert_score_.Bind(1, row.run).Bind(2, index).BindBlob(3, cell.scores);
  if (cell.transcript) {
    insert_score_.BindBlob(4, *cell.transcript);
  } else {
    insert_score_.BindNull(4);
  }
  if (cell.marks.empty()) {
    insert_score_.BindNull(5);
  } else {
    insert_score_.Bind(5, std::string_view(cell.marks));
  }
  return insert_score_.Run();
}

Status SqliteStore::WriteChange(SittingId sitting, std::uint64_t number, const SittingRow& row,
                                const SittingWork& work) {
  std::vector<CellIndex> cells;
  for (const CellResult& cell : work.cells) cells.push_back(cell.cell);
  std::vector<ExchangeId> ids;
  for (const Exchange& exchange : work.exchanges) ids.push_back(exchange.id);
  const std::string cell_bytes = EncodeNumbers(cells);
  const std::string id_bytes = EncodeNumbers(ids);
  const auto commit = static_cast<std::int64_t>(number);
  insert_change_.Bind(1, row.run)
      .Bind(2, static_cast<std::int64_t>(row.part))
      .Bind(3, sitting)
      .Bind(4, commit)
      .BindBlob(5, cell_bytes)
      .BindBlob(6, id_bytes);
  ASSAY_CHECK_OK(insert_change_.Run());
  count_commit_.Bind(1, sitting)
      .Bind(2, commit)
      .Bind(3, work.at_ms)
      .Bind(4, static_cast<std::int64_t>(work.sent));
  ASSAY_CHECK_OK(count_commit_.Run());
  sitting_rows_[sitting].commits = number;
  return Ok();
}

Result<RunChanges> SqliteStore::ChangesSince(const std::string& run_id, std::int64_t mark) {
  RunChanges changes{.mark = mark};
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare("SELECT number, part, cells FROM change WHERE run = ?1 AND number > ?2 "
                              "ORDER BY number"));
  select.Bind(1, run.number).Bind(2, mark);
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return changes;
    changes.mark = select.Int(0);
    ASSAY_TRY(std::vector<CellIndex> cells, DecodeNumbers(select.Text(2)));
    if (cells.empty()) continue;
    ASSAY_TRY(const RunPart part, PartOf(select.Int(1)));
    changes.changed.push_back({.part = part, .cells = std::move(cells)});
  }
}

Result<std::optional<std::string>> SqliteStore::RunOfNewestSitting() {
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare("SELECT run.id FROM sitting JOIN run ON run.number = sitting.run ORDER BY "
                              "sitting.number DESC LIMIT 1"));
  ASSAY_TRY(const bool row, select.Step());
  std::optional<std::string> run;
  if (row) {
    ASSAY_TRY(run, ReadName(NameKind::kRun, select.Text(0)));
  }
  return run;
}

}  // namespace assay
