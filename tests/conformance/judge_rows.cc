// Golden files of judging: replies, consensus, agreement.
#include <fmt/core.h>

#include <algorithm>

#include "checks/judge/judge.h"
#include "dialects/blueprint/blueprint.h"
#include "spec/suite/suite.h"
#include "tests/conformance/conformance.h"

namespace assay::conformance {
namespace {

Outcome RunJudgeParse(const std::string& path) {
  return ForEachLine(path, [](std::size_t, const Value& row, Outcome& outcome) {
    Map want;
    Map got;
    const Value& result = Get(row, "result");
    const Result<JudgeVerdict> verdict = ParseJudgeReply(GetText(row, "raw"), JudgeReading::kFirstTags);
    if (verdict.has_value()) {
      got.Append("score", verdict->score);
      got.Append("reflection", verdict->reflection);
    }
    if (result.Find("error") == nullptr) {
      want.Append("score", Get(result, "coverage_extent"));
      want.Append("reflection", Get(result, "reflection"));
    }
    outcome.Same("verdict", want, got);
  });
}

struct DefaultJudge {
  const char* id;
  const char* model;
};
// The judges that golden rows call "default", and the backup behind them.
constexpr DefaultJudge kDefaultJudges[] = {
    {"holistic-gemini-2-5-flash", "openrouter:google/gemini-2.5-flash"},
    {"holistic-gpt-4-1-mini", "openrouter:openai/gpt-4.1-mini"},
    {"holistic-claude-haiku-4-5", "openrouter:anthropic/claude-haiku-4.5"},
};
constexpr DefaultJudge kBackupJudge = {"backup-claude-4-5-haiku", "openrouter:anthropic/claude-haiku-4.5"};

Judge MakeJudge(const std::string& id, const std::string& model, const std::string& approach) {
  Judge judge;
  judge.id = id;
  judge.model_id = model;
  judge.approach = approach;
  judge.label = fmt::format("{}({})", id.empty() ? approach : id, model);
  return judge;
}

std::vector<Judge> JudgesOf(const Value& row) {
  std::vector<Judge> judges;
  if (!Get(row, "judges").is_list()) {
    for (const DefaultJudge& judge : kDefaultJudges)
      judges.push_back(MakeJudge(judge.id, judge.model, "holistic"));
    return judges;
  }
  for (const Value& judge : Get(row, "judges").AsList()) {
    judges.push_back(MakeJudge(GetText(judge, "id"), GetText(judge, "model"), GetText(judge, "approach")));
  }
  return judges;
}

// `output` as the golden rows write it: a class, FAIL (unreadable), THROW (no reply).
Vote VoteOf(const std::string& output, const Judge& judge, std::size_t call) {
  if (output == "THROW") return Error{ErrorCode::kNetwork, "connection refused"};
  const std::string reply =
      output == "FAIL"
          ? "not a verdict"
          : fmt::format("<reflection>r{}</reflection><classification>{}</classification>", call, output);
  Result<JudgeVerdict> verdict = ParseJudgeReply(reply);
  if (!verdict.has_value()) return verdict.error();
  return Judgement{verdict->score, verdict->reflection, judge.label};
}

Value ConsensusResult(const Score& score) {
  Map result;
  if (score.state == ScoreState::kScored) {
    result.Append("coverage_extent", score.value);
    result.Append("reflection", score.explanation);
    result.Append("judgeModelId", score.grader);
    List judgements;
    for (const Evidence& voice : score.evidence) {
      Map entry;
      entry.Append("judgeModelId", voice.source);
      entry.Append("coverageExtent", voice.value);
      entry.Append("reflection", voice.text);
      judgements.push_back(std::move(entry));
    }
    result.Append("individualJudgements", std::move(judgements));
  }
  if (!score.error.empty()) result.Append("error", true);
  return result;
}

void RunConsensus(const Value& row, Outcome& outcome) {
  const std::vector<Judge> judges = JudgesOf(row);
  const bool is_default = !Get(row, "judges").is_list();
  std::vector<Vote> votes;
  for (std::size_t i = 0; i < judges.size(); ++i) {
    votes.push_back(VoteOf(Get(row, "outputs").AsList()[i].AsString(), judges[i], i));
  }
  ConsensusInput input{.judges = votes};
  Vote backup = Error{ErrorCode::kInvalidInput, "not asked"};
  const bool any_failed = std::any_of(votes.begin(), votes.end(), [](const Vote& vote) { return !vote; });
  if (is_default && any_failed) {
    const Judge judge = MakeJudge(kBackupJudge.id, kBackupJudge.model, "holistic");
    backup = VoteOf(GetText(row, "backup_output"), judge, judges.size());
    input.backup = &backup;
  }
  Map want = Get(row, "result").AsMap();
  if (want.Find("error") != nullptr) want.Set("error", true);
  outcome.Same("consensus", want, ConsensusResult(JudgeConsensus(input)));
}

void RunAgreement(const Value& row, Outcome& outcome) {
  Suite suite;
  suite.grading = BlueprintGradingRules(Compat::kWeval);
  suite.judges = JudgesOf(row);
  std::vector<Score> scores;
  for (const Value& assessment : Get(row, "pointAssessments").AsList()) {
    Score score = Score::Of(0);
    const Value& judgements = Get(assessment, "individualJudgements");
    if (judgements.is_list()) {
      for (const Value& judgement : judgements.AsList()) {
        score.evidence.push_back(
            {GetText(judgement, "judgeModelId"), Get(judgement, "coverageExtent").AsNumber(), "r"});
      }
    }
    scores.push_back(std::move(score));
  }
  outcome.Same("agreement", Get(row, "result"), JudgeAgreement(scores, suite));
}

}  // namespace

std::span<const GoldenRow> JudgeRows() {
  static constexpr GoldenRow kRows[] = {
      {"blueprint/judge_parse.jsonl", RunJudgeParse},
  };
  return kRows;
}

std::span<const KindRow> JudgeKinds() {
  static constexpr KindRow kRows[] = {
      {"blueprint/judge_consensus.jsonl", "consensus", RunConsensus},
      {"blueprint/judge_consensus.jsonl", "agreement", RunAgreement},
  };
  return kRows;
}

}  // namespace assay::conformance
