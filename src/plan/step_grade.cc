// Grading: the pure checks, the consensus of the judged ones, and what the dialect wants to keep of an
// attempt.
#include "checks/judge/judge.h"
#include "plan/steps.h"

namespace assay {

namespace {

// The judges' outcomes of each judged check stand behind the transcript in the order of the checks.
Score GradeJudged(const Suite& suite, std::span<const StepOutcome* const> inputs, std::size_t& next_input) {
  ConsensusInput consensus{.judges = inputs.subspan(next_input, suite.judges.size())};
  next_input += suite.judges.size();
  if (suite.backup_judge) consensus.backup = inputs[next_input++];
  return JudgeConsensus(consensus);
}

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

}  // namespace

Action NextGrade(const Plan& plan, const StepTemplate&, const StepContext& context,
                 std::span<const Exchange>) {
  AttemptRecord record;
  record.transcript = std::get<Transcript>(std::get<Done>(*context.inputs[0]).value);
  if (!record.transcript.error.empty()) return Done{std::move(record)};
  const Case& the_case = context.TheCase();
  const CasePlan& case_plan = plan.case_plan(context.case_index);
  const std::string subject = record.transcript.SubjectText();
  AnswerView answer(subject);
  const GradeInput input = GradeInputOf(context, record.transcript, answer);
  std::size_t next_input = 1;
  record.scores.reserve(the_case.checks.size());
  std::vector<Score> judged;
  for (CheckIndex i = 0; i < the_case.checks.size(); ++i) {
    Score score;
    if (!case_plan.problems[i].empty()) {
      score = Score::Failure(case_plan.problems[i]);
    } else if (case_plan.rows[i] == nullptr) {
      score = GradeJudged(context.suite, context.inputs, next_input);
      judged.push_back(score);
    } else if (Asks(case_plan, i)) {
      score = TakeScore(*context.inputs[next_input++]);
    } else {
      score = case_plan.rows[i]->grade(input, case_plan.args[i], context.worker);
    }
    record.scores.push_back(the_case.checks[i].invert ? Invert(std::move(score)) : std::move(score));
  }
  if (the_case.extracts_key_points) judged = TakeKeyPoints(*context.inputs[next_input++], record);
  if (!judged.empty()) {
    Value agreement = JudgeAgreement(judged, context.suite);
    if (!agreement.is_undefined()) {
      Map details;
      details.Append("judgeAgreement", std::move(agreement));
      record.details = std::move(details);
    }
  }
  return Done{std::move(record)};
}

}  // namespace assay
