// The step functions, one file each; NextOf picks by kind. All are pure: no clock, no randomness, no I/O.
#pragma once

#include "plan/plan.h"

namespace assay {

// The tag of a request of this cell.
RequestTag TagOf(const StepContext& context, RequestRole role);
// A call of this model with nothing said yet.
ModelRequest RequestTo(const ModelRef& model, const SamplingParams& params);
// What the checks of an attempt look at; borrows the transcript and the answer.
GradeInput GradeInputOf(const StepContext& context, const Transcript& transcript, AnswerView& answer);
// Of an exchange behind a point that has no verdict: whether it is at fault (a judge's reply that cannot be
// read, what a service said), so that only asking again can help.
bool ToldNothing(const Suite& suite, const Exchange& exchange);
// True if the row of the check asks for something; then a kAsk step scores it.
bool Asks(const CasePlan& plan, CheckIndex check);

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
// Input 0: the Transcript. Lets the row of a check ask what it needs. Done{Score}; Done{Skipped} without an
// answer.
Action NextAsk(const Plan& plan, const StepTemplate& step, const StepContext& context,
               std::span<const Exchange> so_far);
// Inputs: generate, then in the order of the checks the judges and the backup of each judged one and the step
// of each that asks, then the key points where the case has them extracted. Runs the pure checks;
// Done{AttemptRecord}, always.
Action NextGrade(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far);

}  // namespace assay
