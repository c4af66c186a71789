// SqliteStore: reading the cells of a run, by parts.
#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "spec/exchange/replay.h"
#include "store/cell_rows.h"
#include "store/run_walks.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"
#include "store/step_links.h"
#include "store/stored_rows.h"

namespace assay {

namespace {

constexpr std::string_view kPartRange = "run = ?1 AND part = ?4 AND cell >= ?2 AND cell < ?3";

std::int64_t Signed(CellIndex cell) { return static_cast<std::int64_t>(cell); }

}  // namespace

Result<SqliteStore::PartRows> SqliteStore::RowsOf(const std::string& run_id, RunPart part, CellSpan span) {
  ASSAY_TRY(const RunRow run, RowOfRun(run_id));
  constexpr CellIndex kEnd = limits::kCellsMax;
  return PartRows{
      .run = run.cells_of, .part = part, .rows = {std::min(span.first, kEnd), std::min(span.last, kEnd)}};
}

// Parameters 1 to 4.
void SqliteStore::Bind(const PartRows& rows, SqliteStatement& select) const {
  select.Bind(1, rows.run)
      .Bind(2, Signed(rows.rows.first))
      .Bind(3, Signed(rows.rows.last))
      .Bind(4, static_cast<std::int64_t>(rows.part));
}

Result<std::vector<ExchangeId>> SqliteStore::ExchangesOf(const std::string& run_id, RunPart part) {
  ASSAY_TRY(const PartRows rows, RowsOf(run_id, part, kEveryCell));
  ASSAY_TRY(SqliteStatement select,
            database_.Prepare(fmt::format("SELECT exchanges FROM cell WHERE {}", kPartRange)));
  Bind(rows, select);
  NamedExchanges named;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return named.Take();
    ASSAY_TRY(const std::vector<StepLink> steps, DecodeStepLinks(select.Text(0)));
    named.Add(steps);
  }
}

Result<RequestCounts> SqliteStore::CountRequests(const std::string& run_id, RunPart part) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, part));
  ASSAY_TRY(const std::uint64_t errors, CountFailed(ids));
  return RequestCounts{.requests = ids.size(), .errors = errors};
}

Result<std::map<std::string, std::uint64_t>> SqliteStore::CountRecorded(const std::string& run_id,
                                                                        RunPart part) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> open, BeginReading());
  ASSAY_TRY(const std::vector<ExchangeId> ids, ExchangesOf(run_id, part));
  ASSAY_TRY(SqliteStatement tail,
            database_.Prepare(fmt::format("SELECT CASE substr(request, 1, 4) WHEN x'28b52ffd' THEN request "
                                          "ELSE substr(request, -{}) END FROM exchange WHERE id = ?1 AND "
                                          "error_code IS NULL",
                                          kRecordingTailBytes)));
  std::map<std::string, std::uint64_t> counts;
  for (const ExchangeId id : ids) {
    tail.Bind(1, static_cast<std::int64_t>(id));
    ASSAY_CHECK_OK(CountRecordings(tail, counts));
    tail.Reset();
  }
  return counts;
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

Status SqliteStore::VisitCells(const std::string& run_id, RunPart part, CellSpan span,
                               const CellVisitor& visit) {
  ASSAY_TRY(const PartRows rows, RowsOf(run_id, part, span));
  ASSAY_TRY(CellWalk walk, TakeWalk());
  Bind(rows, walk.steps);
  walk.scores.Bind(1, rows.run).Bind(2, Signed(rows.rows.first)).Bind(3, Signed(rows.rows.last));
  Status walked =
      part == RunPart::kRun ? WalkScored(walk, rows.rows, visit) : WalkUnscored(walk, rows.rows, visit);
  walk.scores.Reset();
  walk.steps.Reset();
  idle_walks_.push_back(std::move(walk));
  return walked;
}

Status SqliteStore::VisitAnswered(const std::string& run_id, RunPart part, CellSpan span, LinkFilter wants,
                                  const AnsweredVisitor& visit) {
  return VisitCellsAnswered(*this, run_id, part, span, wants, visit);
}

Status SqliteStore::VisitOutcomes(const std::string& run_id, CellSpan span, const OutcomeVisitor& visit) {
  ASSAY_TRY(const PartRows rows, RowsOf(run_id, RunPart::kRun, span));
  SqliteStatement walk;
  if (idle_outcomes_.empty()) {
    ASSAY_TRY(walk, database_.Prepare(
                        fmt::format("SELECT cell, state, score FROM cell WHERE {} AND +state IS NOT NULL "
                                    "ORDER BY cell",
                                    kPartRange)));
  } else {
    walk = std::move(idle_outcomes_.back());
    idle_outcomes_.pop_back();
  }
  Bind(rows, walk);
  Status walked = WalkOutcomes(walk, rows.rows, visit);
  walk.Reset();
  idle_outcomes_.push_back(std::move(walk));
  return walked;
}

Status SqliteStore::FindCells(const std::string& run_id, CellSpan span, const CellQuery& query,
                              const OutcomeVisitor& visit) {
  ASSAY_TRY(const PartRows rows, RowsOf(run_id, RunPart::kRun, span));
  return FindCellRows(database_, rows.run, rows.rows, query, visit);
}

// Reports walk case by case, and a walk may start another: each takes statements that are not in use.
Result<SqliteStore::CellWalk> SqliteStore::TakeWalk() {
  CellWalk walk;
  if (idle_walks_.empty()) {
    ASSAY_TRY(walk.scores, database_.Prepare("SELECT cell, scores, transcript, marks FROM score WHERE run = "
                                             "?1 AND cell >= ?2 AND cell < ?3 ORDER BY cell"));
    ASSAY_TRY(walk.steps,
              database_.Prepare(fmt::format(
                  "SELECT cell, exchanges, state, score FROM cell WHERE {} ORDER BY cell", kPartRange)));
  } else {
    walk = std::move(idle_walks_.back());
    idle_walks_.pop_back();
  }
  return walk;
}

Status SqliteStore::WalkScored(CellWalk& walk, CellSpan span, const CellVisitor& visit) {
  ASSAY_TRY(bool has_steps, walk.steps.Step());
  CellResult result;
  while (true) {
    ASSAY_TRY(const bool row, walk.scores.Step());
    if (!row) return Ok();
    ASSAY_TRY(result.cell, ReadCell(walk.scores, 0, span));
    result.scores = walk.scores.Text(1);
    result.transcript.reset();
    if (!walk.scores.IsNull(2)) result.transcript = walk.scores.Text(2);
    result.marks = walk.scores.Text(3);
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

Status SqliteStore::WalkUnscored(CellWalk& walk, CellSpan span, const CellVisitor& visit) {
  CellResult result;
  while (true) {
    ASSAY_TRY(const bool row, walk.steps.Step());
    if (!row) return Ok();
    ASSAY_TRY(result.cell, ReadCell(walk.steps, 0, span));
    ASSAY_TRY(result.steps, DecodeStepLinks(walk.steps.Text(1)));
    ASSAY_CHECK_OK(visit(result));
  }
}

Status SqliteStore::WalkOutcomes(SqliteStatement& walk, CellSpan span, const OutcomeVisitor& visit) {
  while (true) {
    ASSAY_TRY(const bool row, walk.Step());
    if (!row) return Ok();
    ASSAY_TRY(const CellIndex cell, ReadCell(walk, 0, span));
    ASSAY_TRY(const std::optional<CellOutcome> outcome, ReadOutcome(walk, 1));
    if (outcome) ASSAY_CHECK_OK(visit(cell, *outcome));
  }
}

}  // namespace assay
