// Judging one criterion by one judge, and the backup that steps in when a judge failed.
// Source of the rules: weval 51dc4d3 (spec blueprint 12.2).
#include <algorithm>

#include "plan/steps.h"
#include "plan/verdict.h"

namespace assay {

Action NextJudge(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far) {
  if (!TranscriptOf(context).error.empty()) {
    return Failed{{ErrorCode::kCancelled, "there is no answer to judge"}};
  }
  const JudgeCall call{.judge = plan.suite().judges[step.judge],
                       .role = RequestRole::kJudge,
                       .check = step.check,
                       .criterion = context.TheCase().checks[step.check].text,
                       .repairs = plan.suite().judge_repairs,
                       .form = plan.verdict_form()};
  return NextVerdict(call, context, so_far);
}

Action NextBackup(const Plan& plan, const StepTemplate& step, const StepContext& context,
                  std::span<const Exchange> so_far) {
  const auto failed = [](const StepOutcome* outcome) { return std::holds_alternative<Failed>(*outcome); };
  if (!TranscriptOf(context).error.empty()) return Done{Skipped{}};
  if (std::none_of(context.inputs.begin() + 1, context.inputs.end(), failed)) return Done{Skipped{}};
  const JudgeCall call{.judge = *plan.suite().backup_judge,
                       .role = RequestRole::kBackupJudge,
                       .check = step.check,
                       .criterion = context.TheCase().checks[step.check].text,
                       .repairs = 0,
                       .form = plan.verdict_form()};
  return NextVerdict(call, context, so_far);
}

}  // namespace assay
