// The check `assertion`: an assertion of promptfoo, or a set of them. Only that dialect offers it. Pure; any
// thread.
//   args    {assertion: {type, value, threshold, weight, metric, transform, rubricPrompt, ...}, of a set
//           {type: assert-set, assert: [...], threshold, weight}; graders: [{text: i, embedding: j}, ...], of
//           each assertion in order, i and j being places among the check's judges}
//   score   the assertion's own number, its verdict and its reason; items of a set: its members
//   remark  {named_scores: {name: number}, components: [{type, pass, score, reason}], raw: the number before
//           it was held within 0 and 1}, as far as there are any
//   error   what makes a test an error in the original; a grader that cannot be reached: no verdict
//   asks    the graders that the types need, each move of them in a round of its own (graders/grader.cc)
//   source  spec: promptfoo 7 to 9; with GradingRules::original_accidents as it is there
#include <algorithm>
#include <iterator>

#include "checks/args.h"
#include "checks/graders.h"
#include "checks/judge/judge.h"
#include "checks/promptfoo/row/answer.h"
#include "checks/promptfoo/row/scores.h"
#include "checks/promptfoo/row/talk.h"
#include "spec/suite/variant.h"

namespace assay {
namespace {

using promptfoo::Assertion;
using promptfoo::AssertionInput;
using promptfoo::AssertionResult;
using promptfoo::AssertionRule;
using promptfoo::LeafGraders;
using promptfoo::LeafTalk;

// Without the name of the check, which authors of configs do not know.
void TellAssertionProblem(const ParseInput& input, const Error& problem, Diagnostics& diagnostics) {
  const bool has_place = problem.where && problem.where->file != FileId::kNone;
  const Span where = has_place ? *problem.where : ArgsSpan(input.check);
  if (input.refuses_broken) {
    diagnostics.Error("check.broken", problem.message, where, "correct it, or remove the assertion");
  } else {
    diagnostics.Warning("check.bad-argument", problem.message, where,
                        "each test with it is an error until you correct this");
  }
}

const AssertionRule& RuleIn(const CheckArgs& args) {
  return static_cast<const ParsedArgs<AssertionRule>*>(args.get())->value;
}

const Judge* JudgeAt(const JudgePanel& panel, const std::optional<std::size_t>& place) {
  return place && *place < panel.judges.size() ? panel.judges[*place] : nullptr;
}

// `panel` is null where nobody is asked.
std::vector<LeafTalk> TalksOf(const AssertionRule& rule, const JudgePanel* panel) {
  std::vector<LeafTalk> talks;
  const std::vector<const Assertion*> leaves = rule.test.Leaves();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const LeafGraders& graders = rule.graders[i];
    LeafTalk& talk = talks.emplace_back(LeafTalk{.assertion = *leaves[i]});
    if (panel == nullptr) continue;
    if (graders.calls.most > 0) talk.grader = JudgeAt(*panel, graders.text);
    if (graders.calls.embeds > 0) talk.embedder = JudgeAt(*panel, graders.embedding);
  }
  return talks;
}

// Who speaks behind the score of one assertion, where somebody was asked.
void AddVoice(const LeafTalk& talk, Score& score) {
  if (talk.grader == nullptr) return;
  const Judge& judge = *talk.grader;
  score.grader = judge.label.empty() ? judge.model_id : judge.label;
  const double value = score.value >= 0 ? std::min(score.value, 1.0) : 0;
  score.evidence.push_back({.source = score.grader, .value = value, .text = talk.last_words});
  if (talk.grader_failed) score.error = talk.result->reason;
}

// Runs the assertions that ask nobody, and adds all of them up.
Score ScoreOfTalks(const AssertionRule& rule, const std::vector<LeafTalk>& talks,
                   const AssertionInput& input) {
  std::vector<AssertionResult> results;
  std::string unreachable;
  for (const LeafTalk& talk : talks) {
    if (talk.error) return Score::Failure(talk.error->message);
    if (unreachable.empty()) unreachable = talk.unreachable;
    if (talk.HasEnded()) {
      results.push_back(talk.result.value_or(AssertionResult()));
      continue;
    }
    Result<AssertionResult> result = promptfoo::RunAssertion(talk.assertion, input);
    if (!result) return Score::Failure(result.error().message);
    results.push_back(*std::move(result));
  }
  if (!unreachable.empty()) return Score::Missing(unreachable);
  Score score = promptfoo::ScoreOfResults(rule, results, input);
  if (!rule.is_set() && score.state == ScoreState::kScored) AddVoice(talks.front(), score);
  return score;
}

Score GradeAssertionRule(const GradeInput& input, const AssertionRule& rule, WorkerState& worker) {
  const Result<AssertionInput> seen = promptfoo::AssertionInputOf(input, rule, worker);
  if (!seen) return Score::Failure(seen.error().message);
  return ScoreOfTalks(rule, TalksOf(rule, nullptr), *seen);
}

void AddParty(RequestRole role, const Judge* judge, std::uint32_t usual, std::uint32_t most,
              std::vector<StepParty>& parties) {
  if (judge == nullptr || most == 0) return;
  parties.push_back({.role = role,
                     .model = judge,
                     .id = judge->model_id,
                     .params = role == RequestRole::kEmbedding ? nullptr : &judge->params,
                     .usual = usual,
                     .most = most});
}

}  // namespace

CheckArgs ParseAssertion(const ParseInput& input, Diagnostics& diagnostics) {
  std::vector<Error> problems;
  AssertionRule rule = promptfoo::ReadAssertionRule(input, problems);
  if (problems.empty()) return MakeArgs(std::move(rule));
  for (const Error& problem : problems) TellAssertionProblem(input, problem, diagnostics);
  return UnusableArgs<AssertionRule>(problems.front().message);
}

Score GradeAssertion(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<AssertionRule, GradeAssertionRule>(input, args, worker);
}

std::vector<StepParty> PartiesOfAssertion(const JudgePanel& panel, const CheckArgs& args) {
  std::vector<StepParty> parties;
  for (const LeafGraders& graders : RuleIn(args).graders) {
    const promptfoo::GraderCalls& calls = graders.calls;
    AddParty(RequestRole::kJudge, JudgeAt(panel, graders.text), calls.usual, calls.most, parties);
    AddParty(RequestRole::kEmbedding, JudgeAt(panel, graders.embedding), calls.embeds, calls.embeds, parties);
  }
  return parties;
}

Action NextAssertion(const AskInput& input, const CheckArgs& args) {
  const AssertionRule& rule = RuleIn(args);
  const Result<AssertionInput> seen = promptfoo::AssertionInputOf(input.grade, rule, input.worker);
  if (!seen) return Done{Score::Failure(seen.error().message)};
  std::vector<LeafTalk> talks = TalksOf(rule, input.panel);
  if (!promptfoo::CarryOnTalks(input, *seen, talks)) return Done{ScoreOfTalks(rule, talks, *seen)};
  std::vector<PlannedRequest> requests;
  for (LeafTalk& talk : talks)
    std::move(talk.open_requests.begin(), talk.open_requests.end(), std::back_inserter(requests));
  return Need{std::move(requests)};
}

}  // namespace assay
