// The asking step: lets the row of a check ask judges, services or programs, and passes it their replies.
#include "plan/steps.h"

namespace assay {

Action NextAsk(const Plan& plan, const StepTemplate& step, const StepContext& context,
               std::span<const Exchange> so_far) {
  const Transcript& transcript = TranscriptOf(context);
  if (!transcript.error.empty()) return Done{Skipped{}};
  const BoundCheck& check = plan.case_plan(context.case_index).checks[step.check];
  const std::string subject = transcript.SubjectText();
  AnswerView answer(subject);
  RequestTag tag = TagOf(context, check.row->asks->role);
  tag.check = step.check;
  GradeInput grade = GradeInputOf(context, transcript, answer);
  if (check.row->reads_use) grade.use = context.use;
  const JudgePanel panel = PanelFor(plan, context.case_index, step.check);
  return check.row->asks->next(
      {.grade = grade, .so_far = so_far, .tag = std::move(tag), .worker = context.worker, .panel = &panel},
      check.args);
}

}  // namespace assay
