// The step functions, one file each: embed, ask, grade, and the answer of a generator; NextOf (plan/plan.h)
// calls them by kind. All are pure: no clock, no randomness, no I/O.
#pragma once

#include "plan/plan.h"

namespace assay {

// The tag of a request of this cell.
RequestTag TagOf(const StepContext& context, RequestRole role);
// What the checks of an attempt look at, but for what the answer took, which only some rows are told; borrows
// the transcript and the answer.
GradeInput GradeInputOf(const StepContext& context, const Transcript& transcript, AnswerView& answer);
// Of an exchange behind a point that has no verdict: whether it is at fault (a judge's reply that cannot be
// read, what a service said), so that only asking again can help. Whether it quotes the answer is not asked
// here.
bool ToldNothing(const Plan& plan, const Exchange& exchange);
// "conversation", "judge 2", "embed ideal", ...
std::string NameOf(const CasePlan& plan, const StepTemplate& step, VariantIndex variant);
// Who judges this check of the case; of key points, which are no check of the case, the suite's judges.
JudgePanel PanelFor(const Plan& plan, CaseIndex case_index, CheckIndex check);
// What was said in the attempt: the outcome of a step's input 0.
const Transcript& TranscriptOf(const StepContext& context);

// Input 0: the Transcript. One embedding of the answer, or of the case's ideal; Done{Value} with nothing in
// it, since reports read the exchange. Done{Skipped} without an answer.
Action NextEmbed(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far);
// Input 0: the Transcript. Lets the row of a check ask what it needs. Done{Score} or Done{JudgedKeyPoints};
// Done{Skipped} without an answer.
Action NextAsk(const Plan& plan, const StepTemplate& step, const StepContext& context,
               std::span<const Exchange> so_far);
// Inputs: the Transcript, then the steps of the checks that have one, in their order. Runs the pure checks;
// Done{AttemptRecord}, always.
Action NextGrade(const Plan& plan, const StepTemplate& step, const StepContext& context,
                 std::span<const Exchange> so_far);

}  // namespace assay
