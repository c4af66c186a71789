// The step functions, one file each; NextOf picks by kind. All are pure: no clock, no randomness, no I/O.
#pragma once

#include "plan/plan.h"

namespace assay {

// Walks the case's turns, asking for each generated one. Done{Transcript}, always: what was said until it
// failed, and why in Transcript::error.
Action NextGenerate(const Plan& plan, const StepTemplate& step, const StepContext& context,
                    std::span<const Exchange> so_far);
// Input 0: the Transcript. One call, and Suite::judge_repairs more while the reply cannot be read.
// Done{Judgement}.
Action NextJudge(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far);
// Inputs: generate, then the judges of the check. Done{Skipped} unless one of the judges failed.
Action NextBackup(const Plan& plan, const StepTemplate& step, const StepContext& context,
                  std::span<const Exchange> so_far);
// Input 0: the Transcript. Extracts key points from the ideal answer and has every judge judge each.
// Done{JudgedKeyPoints}; Failed if no model gave points; Done{Skipped} without an answer.
Action NextKeyPoints(const Plan& plan, const StepTemplate& step, const StepContext& context,
                     std::span<const Exchange> so_far);
// Input 0: the Transcript. One embedding of the answer, or of the case's ideal; Done{Value} with nothing in
// it, since reports read the exchange. Done{Skipped} without an answer.
Action NextEmbedAnswer(const Plan& plan, const StepTemplate& step, const StepContext& context,
                       std::span<const Exchange> so_far);
Action NextEmbedIdeal(const Plan& plan, const StepTemplate& step, const StepContext& context,
                      std::span<const Exchange> so_far);
// Inputs: generate, then per judged check its judges and its backup, then the key points where the case has
// them extracted. Runs the pure checks; Done{AttemptRecord}, always.
Action NextGrade(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far);

}  // namespace assay
