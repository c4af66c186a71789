// Commits, cells and the exchanges behind them in SQL.
#include <fmt/core.h>

#include <algorithm>

#include "spec/replay.h"
#include "store/cell_rows.h"
#include "store/schema.h"
#include "store/sqlite_store.h"
#include "store/step_links.h"

namespace assay {

Status SqliteStore::Commit(const std::string& run_id, std::span<Exchange> exchanges,
                           std::span<const CellResult> cells, std::uint64_t sent) {
  ASSAY_CHECK_OK(database_.Execute("BEGIN IMMEDIATE"));
  Status written = WriteAll(run_id, exchanges, cells, sent);
  if (written) written = database_.Execute("COMMIT");
  if (written) return Ok();
  // The transaction may be gone already; what matters is that none of it stays.
  static_cast<void>(database_.Execute("ROLLBACK").has_value());
  for (Exchange& exchange : exchanges) exchange.id = 0;
  return written;
}

Result<std::vector<ExchangeId>> SqliteStore::ExchangesOf(const std::string& run_id, CellIndex last) {
  ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare(
                fmt::format("SELECT exchanges FROM {} WHERE run = ?1 AND cell < ?2", CellsOf(version_))));
  select.Bind(1, run).Bind(2, static_cast<std::int64_t>(last));
  std::vector<ExchangeId> ids;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) break;
    ASSAY_TRY(const std::vector<StepExchanges> steps, DecodeStepLinks(select.Text(0)));
    for (const StepExchanges& step : steps)
      ids.insert(ids.end(), step.exchanges.begin(), step.exchanges.end());
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Result<RequestCounts> SqliteStore::CountRequests(const std::string& run_id, CellIndex last) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, last));
  ASSAY_TRY(const std::uint64_t errors, CountFailed(ids));
  return RequestCounts{.requests = ids.size(), .errors = errors};
}

Result<std::map<std::string, std::uint64_t>> SqliteStore::CountRecorded(const std::string& run_id,
                                                           CellIndex last) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, last));
  ASSAY_TRY(SqliteStatement tail, database_.Prepare(fmt::format(
                                      "SELECT substr(request, -{}) FROM exchange WHERE id = ?1 AND "
                                      "error_code IS NULL",
                                      kRecordingTailBytes)));
  std::map<std::string, std::uint64_t> counts;
  for (const ExchangeId id : ids) {
    tail.Bind(1, static_cast<std::int64_t>(id));
    ASSAY_TRY(const bool row, tail.Step());
    if (!row) continue;
    if (const std::string_view name = RecordingOf(tail.Text(0)); !name.empty()) ++counts[std::string(name)];
    tail.Reset();
  }
  return counts;
}

Status SqliteStore::WriteAll(const std::string& run_id, std::span<Exchange> exchanges,
                             std::span<const CellResult> cells, std::uint64_t sent) {
  for (Exchange& exchange : exchanges) ASSAY_CHECK_OK(WriteExchange(exchange));
  if (cells.empty() && sent == 0) return Ok();
  ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
  if (sent > 0) {
    count_sent_.Bind(1, run).Bind(2, static_cast<std::int64_t>(sent));
    ASSAY_CHECK_OK(count_sent_.Run());
  }
  for (const CellResult& cell : cells) {
    const std::string links = EncodeStepLinks(cell.steps);
    insert_cell_.Bind(1, run).Bind(2, static_cast<std::int64_t>(cell.cell)).BindBlob(3, links);
    BindColumns(cell.columns, 4, insert_cell_);
    ASSAY_CHECK_OK(insert_cell_.Run());
    if (cell.scores.empty()) continue;
    insert_score_.Bind(1, run).Bind(2, static_cast<std::int64_t>(cell.cell)).BindBlob(3, cell.scores);
    ASSAY_CHECK_OK(insert_score_.Run());
  }
  return Ok();
}

// Of the ascending ids those that ended in an error. Goes from one to the next failed exchange of the index
// and on to the next id that may be it: what failed for other runs is hardly read.
Result<std::uint64_t> SqliteStore::CountFailed(std::span<const ExchangeId> ids) {
  ASSAY_TRY(SqliteStatement next,
            database_.Prepare("SELECT id FROM exchange INDEXED BY exchange_failed WHERE error_code IS NOT "
                              "NULL AND id >= ?1 ORDER BY id LIMIT 1"));
  std::uint64_t failed = 0;
  for (auto id = ids.begin(); id != ids.end();) {
    next.Bind(1, static_cast<std::int64_t>(*id));
    ASSAY_TRY(const bool row, next.Step());
    if (!row) break;
    const auto found = static_cast<ExchangeId>(next.Int(0));
    next.Reset();
    id = std::lower_bound(id, ids.end(), found);
    if (id == ids.end() || *id != found) continue;
    ++failed;
    ++id;
  }
  return failed;
}

Status SqliteStore::VisitCells(const std::string& run_id, CellIndex first, CellIndex last,
                  const std::function<Status(const CellResult&)>& visit) {
  ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
  ASSAY_TRY(CellWalk walk, TakeWalk());
  walk.scores.Bind(1, run)
      .Bind(2, static_cast<std::int64_t>(first))
      .Bind(3, static_cast<std::int64_t>(last));
  walk.steps.Bind(1, run)
      .Bind(2, static_cast<std::int64_t>(first))
      .Bind(3, static_cast<std::int64_t>(last));
  Status walked = Walk(walk, visit);
  walk.scores.Reset();
  walk.steps.Reset();
  idle_walks_.push_back(std::move(walk));
  return walked;
}

Status SqliteStore::VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) {
  ASSAY_ASSERT(version_ >= kOutcomesVersion);
  ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
  SqliteStatement walk;
  if (idle_outcomes_.empty()) {
    ASSAY_TRY(walk,
              database_.Prepare("SELECT cell, state, score FROM cell WHERE run = ?1 AND cell >= ?2 AND "
                                "cell < ?3 AND +state IS NOT NULL ORDER BY cell"));
  } else {
    walk = std::move(idle_outcomes_.back());
    idle_outcomes_.pop_back();
  }
  walk.Bind(1, run)
      .Bind(2, static_cast<std::int64_t>(span.first))
      .Bind(3, static_cast<std::int64_t>(span.last));
  Status walked = WalkOutcomes(walk, visit);
  walk.Reset();
  idle_outcomes_.push_back(std::move(walk));
  return walked;
}

Status SqliteStore::FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                 const OutcomeVisitor& visit) {
  ASSAY_ASSERT(version_ >= kOutcomesVersion);
  ASSAY_TRY(const std::int64_t run, RunNumber(run_id));
  return FindCellRows(database_, run, span, query, visit);
}

// Reports walk case by case, and a walk may start another: each takes statements that are not in use.
Result<SqliteStore::CellWalk> SqliteStore::TakeWalk() {
  CellWalk walk;
  if (idle_walks_.empty()) {
    constexpr std::string_view kRange = "WHERE run = ?1 AND cell >= ?2 AND cell < ?3 ORDER BY cell";
    ASSAY_TRY(walk.scores, database_.Prepare(fmt::format("SELECT cell, scores FROM score {}", kRange)));
    ASSAY_TRY(walk.steps, database_.Prepare(fmt::format("SELECT cell, exchanges, state, score FROM {} {}",
                                                        CellsOf(version_), kRange)));
  } else {
    walk = std::move(idle_walks_.back());
    idle_walks_.pop_back();
  }
  return walk;
}

Status SqliteStore::Walk(CellWalk& walk, const std::function<Status(const CellResult&)>& visit) {
  ASSAY_TRY(bool has_steps, walk.steps.Step());
  CellResult result;
  while (true) {
    ASSAY_TRY(const bool row, walk.scores.Step());
    if (!row) return Ok();
    result.cell = static_cast<CellIndex>(walk.scores.Int(0));
    result.scores = walk.scores.Text(1);
    result.steps.clear();
    result.outcome.reset();
    while (has_steps && static_cast<CellIndex>(walk.steps.Int(0)) <= result.cell) {
      if (static_cast<CellIndex>(walk.steps.Int(0)) == result.cell) {
        ASSAY_TRY(result.steps, DecodeStepLinks(walk.steps.Text(1)));
        ASSAY_TRY(result.outcome, ReadOutcome(walk.steps, 2));
      }
      ASSAY_TRY(has_steps, walk.steps.Step());
    }
    ASSAY_CHECK_OK(visit(result));
  }
}

Status SqliteStore::WalkOutcomes(SqliteStatement& walk, const OutcomeVisitor& visit) {
  while (true) {
    ASSAY_TRY(const bool row, walk.Step());
    if (!row) return Ok();
    ASSAY_TRY(const std::optional<CellOutcome> outcome, ReadOutcome(walk, 1));
    ASSAY_CHECK_OK(visit(static_cast<CellIndex>(walk.Int(0)), *outcome));
  }
}

}  // namespace assay
