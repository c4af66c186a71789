// The asking step: lets the row of a check ask judges, services or programs, and passes it their replies.
#include <algorithm>

#include "checks/args.h"
#include "checks/judge/key_points.h"
#include "plan/extracted.h"
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
  ExtractedAnswers extracted(answer);
  const Case& the_case = context.TheCase();
  const bool is_turned_around =
      step.check < the_case.checks.size() && IsTurnedAround(the_case.checks[step.check]);
  if (std::optional<Score> missing = extracted.Missing(check, is_turned_around))
    return Done{*std::move(missing)};
  GradeInput grade = GradeInputOf(context, transcript, extracted.View(check));
  if (check.extraction != nullptr) grade.whole = extracted.whole();
  if (check.row->reads_use) grade.use = context.use;
  const JudgePanel panel = PanelFor(plan, context.case_index, step.check);
  Action action = check.row->asks->next(
      {.grade = grade, .so_far = so_far, .tag = std::move(tag), .worker = context.worker, .panel = &panel},
      check.args);
  if (auto* done = std::get_if<Done>(&action); done != nullptr && check.extraction != nullptr) {
    if (auto* score = std::get_if<Score>(&done->value)) extracted.Mark(check, *score);
  }
  return action;
}

}  // namespace assay
