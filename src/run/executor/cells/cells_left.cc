// Reads the stored results of a run's cells, and counts the steps that are done.
#include "run/executor/cells/cells_left.h"

#include <fmt/core.h>

#include <algorithm>

#include "spec/suite/suite.h"

namespace assay {

namespace {

// A store may be somebody else's work, and cells are counted by their numbers.
Status IsCellOf(CellSpan span, CellIndex cell) {
  if (cell >= span.first && cell < span.last) return Ok();
  return Error{ErrorCode::kCorrupt, fmt::format("the store is damaged: the run has no cell {}", cell)};
}

// Where cells count that lack a verdict, their scores alone tell which they are.
Result<bool> IsFinished(const CellResult& result, bool accepts_partial) {
  if (!result.outcome) return false;
  const CellState state = result.outcome->state;
  if (state != CellState::kScored && state != CellState::kUnscored) return false;
  if (!accepts_partial) return true;
  ASSAY_TRY(const AttemptRecord record, DecodeScores(result.scores));
  return record.MissingPoints() == 0;
}

// What the steps of a cell were for.
void CountSteps(const Plan& plan, CellIndex cell, WorkTallies& work) {
  for (const StepTemplate& step : plan.case_plan(plan.CellAt(cell).case_index).slots) {
    if (const auto kind = WorkKindOf(step)) ++work[static_cast<std::size_t>(*kind)].done;
  }
}

}  // namespace

Result<std::vector<bool>> FinishedIn(Store& store, const Plan& plan, const RunRecord& run, CellSpan span) {
  std::vector<bool> finished(span.size());
  const bool accepts_partial = plan.suite().completeness.accepts_partial;
  ASSAY_CHECK_OK(
      store.VisitCells(run.context.run_id, RunPart::kRun, span, [&](const CellResult& result) -> Status {
        ASSAY_CHECK_OK(IsCellOf(span, result.cell));
        ASSAY_TRY(const bool is_finished, IsFinished(result, accepts_partial));
        finished[result.cell - span.first] = is_finished;
        return Ok();
      }));
  return finished;
}

Result<CellsLeft> CellsLeftOf(Store& store, const Plan& plan, const RunRecord& run) {
  CellsLeft left;
  left.finished.resize(plan.CellCount());
  std::vector<ExchangeId> used;
  const bool accepts_partial = plan.suite().completeness.accepts_partial;
  const auto take = [&](const CellResult& result) -> Status {
    ASSAY_CHECK_OK(IsCellOf({0, plan.CellCount()}, result.cell));
    ASSAY_TRY(const bool is_finished, IsFinished(result, accepts_partial));
    if (!is_finished) return Ok();
    left.finished[result.cell] = true;
    ++left.before.cells_done;
    CountSteps(plan, result.cell, left.before.work);
    for (const StepLink& step : result.steps)
      used.insert(used.end(), step.exchanges.begin(), step.exchanges.end());
    return Ok();
  };
  const CellSpan all{0, plan.CellCount()};
  ASSAY_CHECK_OK(store.VisitCells(run.context.run_id, RunPart::kRun, all, take));
  // Each request once, however many cells share its reply.
  std::sort(used.begin(), used.end());
  left.before.reused = static_cast<std::uint64_t>(std::unique(used.begin(), used.end()) - used.begin());
  return left;
}

}  // namespace assay
