// The asking step: lets the row of a check ask judges, services or programs, and passes it their replies.
#include <algorithm>

#include "checks/judge/key_points.h"
#include "plan/steps.h"
#include "spec/extraction.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

bool AsksWithoutAnswer(const Suite& suite, const BoundCheck& check) {
  return check.row == &KeyPointsRow() &&
         std::any_of(suite.extractors.begin(), suite.extractors.end(), IsBeforeAnswers);
}

}  // namespace

Action NextAsk(const Plan& plan, const StepTemplate& step, const StepContext& context,
               std::span<const Exchange> so_far) {
  const Transcript& transcript = TranscriptOf(context);
  const BoundCheck& check = plan.case_plan(context.case_index).checks[step.check];
  if (!transcript.error.empty() && !AsksWithoutAnswer(context.suite, check)) return Done{Skipped{}};
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
