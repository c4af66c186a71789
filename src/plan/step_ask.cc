// Lets the row of a check ask a service or run programs, and takes the score that it makes of the replies.
#include "plan/steps.h"
#include "plan/verdict.h"

namespace assay {

Action NextAsk(const Plan& plan, const StepTemplate& step, const StepContext& context,
               std::span<const Exchange> so_far) {
  const Transcript& transcript = TranscriptOf(context);
  if (!transcript.error.empty()) return Done{Skipped{}};
  const CasePlan& case_plan = plan.case_plan(context.case_index);
  const CheckRow& row = *case_plan.rows[step.check];
  const std::string subject = transcript.SubjectText();
  AnswerView answer(subject);
  RequestTag tag = TagOf(context, row.asks);
  tag.check = step.check;
  const GradeInput grade = GradeInputOf(context, transcript, answer);
  return row.next({.grade = grade, .so_far = so_far, .tag = std::move(tag), .worker = context.worker},
                  case_plan.args[step.check]);
}

}  // namespace assay
