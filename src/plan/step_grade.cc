// The grading step: runs the pure checks, takes the scores of the checks that asked, and makes the attempt's
// record.
#include "checks/args.h"
#include "checks/judge/judge.h"
#include "plan/extracted.h"
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

Score GradeNow(const StepContext& context, const Transcript& transcript, const BoundCheck& check,
               bool is_turned_around, ExtractedAnswers& extracted) {
  if (std::optional<Score> missing = extracted.Missing(check, is_turned_around)) return *std::move(missing);
  GradeInput input = GradeInputOf(context, transcript, extracted.View(check));
  if (check.row->reads_use) input.use = context.use;
  if (check.extraction != nullptr) input.whole = extracted.whole();
  Score score = check.row->grade(input, check.args, context.worker);
  extracted.Mark(check, score);
  return score;
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
  ExtractedAnswers extracted(answer);
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
      score = GradeNow(context, record.transcript, check, IsTurnedAround(the_case.checks[i]), extracted);
    }
    if (score.metric.empty()) score.metric = the_case.checks[i].metric;
    // Where nothing was found, nothing is turned around.
    const bool is_inverted = the_case.checks[i].invert && !score.found_nothing;
    record.scores.push_back(is_inverted ? Invert(std::move(score)) : std::move(score));
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
