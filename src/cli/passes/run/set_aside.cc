// Walks the partial cells of a run and sets aside the exchanges of steps that gave no verdict.
#include "cli/passes/run/set_aside.h"

#include <optional>
#include <vector>

#include "plan/steps.h"

namespace assay {

namespace {

// The check that the step asked for; nothing if it asked for none.
std::optional<CheckIndex> CheckOf(const StepLink& link, const CasePlan& plan) {
  if (link.kind == LinkKind::kAsk) return link.check;
  if (link.kind != LinkKind::kBySlot || link.slot >= plan.slots.size()) return std::nullopt;
  const StepTemplate& step = plan.slots[link.slot];
  return step.kind == StepKind::kAsk ? std::optional(step.check) : std::nullopt;
}

// Whether the step was to give a verdict that the attempt lacks. One that is behind the case's own checks
// gives all scores there are.
bool BelongsToMissing(const Case& the_case, CheckIndex check, const AttemptRecord& record) {
  if (check >= the_case.checks.size()) return true;
  return check < record.scores.size() && record.scores[check].state == ScoreState::kMissing;
}

}  // namespace

Result<CellIndex> SetAsideToldNothing(Store& store, const Plan& plan, const RunRecord& run) {
  CellIndex lacking = 0;
  std::vector<ExchangeId> at_fault;
  const std::string& id = run.context.run_id;
  ASSAY_CHECK_OK(
      store.VisitCells(id, RunPart::kRun, kEveryCell, [&](const CellResult& result) -> Status {
        ASSAY_TRY(const AttemptRecord record, DecodeScores(result.scores));
        if (record.MissingPoints() == 0) return Ok();
        ++lacking;
        const CaseIndex index = plan.CellAt(result.cell).case_index;
        const Case& the_case = plan.suite().cases[index];
        const CasePlan& case_plan = plan.case_plan(index);
        for (const StepLink& step : result.steps) {
          const std::optional<CheckIndex> check = CheckOf(step, case_plan);
          if (!check || !BelongsToMissing(the_case, *check, record)) continue;
          ASSAY_TRY(const std::vector<Exchange> exchanges, store.Get(step.exchanges));
          for (const Exchange& exchange : exchanges) {
            if (ToldNothing(plan.suite(), exchange)) at_fault.push_back(exchange.id);
          }
        }
        return Ok();
      }));
  ASSAY_CHECK_OK(store.SetAside(at_fault));
  return lacking;
}

}  // namespace assay
