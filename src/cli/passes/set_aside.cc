// Walking the partial cells of a run.
#include "cli/passes/set_aside.h"

#include <vector>

#include "plan/steps.h"

namespace assay {

namespace {

// Whether the step was to give a verdict that the attempt lacks. One that is behind the case's own checks
// gives all scores there are.
bool BelongsToMissing(const Case& the_case, const StepTemplate& step, const AttemptRecord& record) {
  if (step.kind != StepKind::kAsk) return false;
  if (step.check >= the_case.checks.size()) return true;
  return step.check < record.scores.size() && record.scores[step.check].state == ScoreState::kMissing;
}

}  // namespace

Status SetAsideToldNothing(Store& store, const Plan& plan, const RunRecord& run) {
  std::vector<ExchangeId> at_fault;
  ASSAY_CHECK_OK(
      store.VisitCells(run.context.run_id, 0, plan.CellCount(), [&](const CellResult& result) -> Status {
        ASSAY_TRY(const AttemptRecord record, DecodeScores(result.scores));
        if (record.MissingPoints() == 0) return Ok();
        const CaseIndex index = plan.CellAt(result.cell).case_index;
        const Case& the_case = plan.suite().cases[index];
        const CasePlan& case_plan = plan.case_plan(index);
        for (const StepExchanges& step : result.steps) {
          if (step.slot >= case_plan.slots.size() ||
              !BelongsToMissing(the_case, case_plan.slots[step.slot], record))
            continue;
          ASSAY_TRY(const std::vector<Exchange> exchanges, store.Get(step.exchanges));
          for (const Exchange& exchange : exchanges) {
            if (ToldNothing(plan.suite(), exchange)) at_fault.push_back(exchange.id);
          }
        }
        return Ok();
      }));
  return store.SetAside(at_fault);
}

}  // namespace assay
