// The grading step: runs the pure checks, takes the scores of the checks that asked, and makes the attempt's
// record.
#include "checks/judge/judge.h"
#include "plan/steps.h"
#include "spec/score/item_words.h"
#include "spec/suite/case.h"
#include "text/object.h"

namespace assay {

namespace {

Score TakeScore(const StepOutcome& outcome) {
  if (const auto* failed = std::get_if<Failed>(&outcome)) return Score::Missing(failed->error.message);
  return std::get<Score>(std::get<Done>(outcome).value);
}

// The scores of the key points, which are the record's scores too; none if nothing could be extracted.
std::vector<Score> TakeKeyPoints(const StepOutcome& outcome, AttemptRecord& record) {
  if (const auto* failed = std::get_if<Failed>(&outcome)) {
    record.grading_error = failed->error.message;
    return {};
  }
  const auto& judged = std::get<JudgedKeyPoints>(std::get<Done>(outcome).value);
  record.key_points = judged.key_points;
  record.scores = judged.scores;
  return judged.scores;
}

// Of an attempt without an answer: extracted for the prompt, with nothing to judge by them.
void KeepKeyPoints(const StepOutcome& outcome, AttemptRecord& record) {
  const auto* done = std::get_if<Done>(&outcome);
  const auto* extracted = done == nullptr ? nullptr : std::get_if<JudgedKeyPoints>(&done->value);
  if (extracted != nullptr) record.key_points = extracted->key_points;
}

}  // namespace

Action NextGrade(const Plan& plan, const StepTemplate&, const StepContext& context,
                 std::span<const Exchange>) {
  AttemptRecord record;
  record.transcript = std::get<Transcript>(std::get<Done>(*context.inputs[0]).value);
  const Case& the_case = context.TheCase();
  const CasePlan& case_plan = plan.case_plan(context.case_index);
  const bool has_key_points = case_plan.checks.size() > the_case.checks.size();
  if (!record.transcript.error.empty()) {
    if (has_key_points) KeepKeyPoints(*context.inputs[1], record);
    return Done{std::move(record)};
  }
  const std::string subject = record.transcript.SubjectText();
  AnswerView answer(subject);
  const GradeInput input = GradeInputOf(context, record.transcript, answer);
  GradeInput with_use = input;
  with_use.use = context.use;
  std::size_t next_input = 1;
  record.scores.reserve(the_case.checks.size());
  std::vector<Score> judged;
  for (CheckIndex i = 0; i < the_case.checks.size(); ++i) {
    const BoundCheck& check = case_plan.checks[i];
    Score score;
    if (!check.problem.empty()) {
      score = Score::Failure(check.problem);
    } else if (check.HasStep()) {
      score = TakeScore(*context.inputs[next_input++]);
      if (check.row->AsksFor(RequestRole::kJudge)) judged.push_back(score);
    } else {
      score = check.row->grade(check.row->reads_use ? with_use : input, check.args, context.worker);
    }
    if (score.metric.empty()) score.metric = the_case.checks[i].metric;
    record.scores.push_back(the_case.checks[i].invert ? Invert(std::move(score)) : std::move(score));
  }
  if (has_key_points) judged = TakeKeyPoints(*context.inputs[next_input++], record);
  if (!judged.empty()) {
    Value agreement = JudgeAgreement(judged, context.suite);
    if (!agreement.is_undefined()) {
      record.details = Object{{kJudgeAgreement, std::move(agreement)}};
    }
  }
  return Done{std::move(record)};
}

}  // namespace assay
