// Walks the partial cells of a run and sets aside the exchanges of steps that gave no verdict.
#include "engine/run/set_aside.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "checks/judge/judge.h"
#include "plan/steps.h"
#include "spec/suite/case.h"
#include "store/run_walks.h"

namespace assay {

namespace {

// The check that the step asked for; nothing if it asked for none.
std::optional<CheckIndex> CheckOf(const StepLink& link) {
  return link.kind == LinkKind::kAsk ? std::optional(link.check) : std::nullopt;
}

// Whether the step was to give a verdict that the attempt lacks. One that is behind the case's own checks
// gives all scores there are.
bool BelongsToMissing(const Case& the_case, CheckIndex check, const AttemptRecord& record) {
  if (check >= the_case.checks.size()) return true;
  return check < record.scores.size() && record.scores[check].state == ScoreState::kMissing;
}

// Whether a judge's reply to this step may be a quotation of the answer, which only the step itself can tell.
bool MayQuote(CheckIndex check, const AttemptRecord& record) {
  const auto says_so = [](const Score& score) {
    return score.state == ScoreState::kMissing &&
           (score.error.find(kAnswerHoldsVerdicts) != std::string::npos ||
            score.error.find(kVerdictDoubted) != std::string::npos);
  };
  if (check < record.scores.size() && record.key_points.empty()) return says_so(record.scores[check]);
  return std::any_of(record.scores.begin(), record.scores.end(), says_so);
}

bool IsJudge(const Exchange& exchange) {
  return exchange.role == RequestRole::kJudge || exchange.role == RequestRole::kBackupJudge;
}

}  // namespace

Result<CellIndex> SetAsideToldNothing(Store& store, const Plan& plan, const RunRecord& run) {
  CellIndex lacking = 0;
  std::vector<ExchangeId> at_fault;
  const std::string& id = run.context.run_id;
  ASSAY_CHECK_OK(store.VisitCells(id, RunPart::kRun, kEveryCell, [&](const CellResult& result) -> Status {
    ASSAY_TRY(const AttemptRecord record, DecodeScores(result.scores));
    if (record.MissingPoints() == 0) return Ok();
    ++lacking;
    const CaseIndex index = plan.CellAt(result.cell).case_index;
    const Case& the_case = plan.CaseOf(index);
    for (const StepLink& step : result.steps) {
      const std::optional<CheckIndex> check = CheckOf(step);
      if (!check || !BelongsToMissing(the_case, *check, record)) continue;
      ASSAY_TRY(const std::vector<Exchange> exchanges, ExchangesOfCell(store, step.exchanges));
      const bool may_quote = MayQuote(*check, record);
      for (const Exchange& exchange : exchanges) {
        const bool is_quotation = may_quote && IsJudge(exchange);
        if (is_quotation || ToldNothing(plan, exchange)) at_fault.push_back(exchange.id);
      }
    }
    return Ok();
  }));
  ASSAY_CHECK_OK(store.SetAside(at_fault));
  return lacking;
}

}  // namespace assay
