// Writes the members of point assessments in the order in which weval writes them.
#include "dialects/blueprint/write/points.h"

#include <algorithm>

#include "dialects/blueprint/write/sentences.h"
#include "spec/report/statistics.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {
namespace {

void LabelLeaves(const CheckNode& node, std::string_view label, std::vector<std::string_view>& labels) {
  if (node.op == CheckNode::Op::kLeaf) {
    labels[node.check] = label;
    return;
  }
  for (const CheckNode& child : node.children)
    LabelLeaves(child, child.label->empty() ? label : *child.label, labels);
}

void TextIfAny(std::string_view key, std::string_view text, JsonStream& json) {
  if (!text.empty()) json.Text(key, text);
}

void NumberIfKnown(std::string_view key, std::optional<double> number, JsonStream& json) {
  if (number) json.Number(key, *number);
}

std::vector<double> VotesOf(const Score& score) {
  std::vector<double> votes;
  for (const Evidence& vote : score.evidence) votes.push_back(vote.value);
  return votes;
}

ConsensusSentence SentenceOf(const Suite& suite, const Check& check, const Score& score) {
  const auto is_backup = [&](const Evidence& vote) {
    return suite.backup_judge && vote.source == suite.backup_judge->label;
  };
  return {.judges_asked = suite.judges.size(),
          .votes = score.evidence.size(),
          .mean = Mean(VotesOf(score)),
          .backup_used = std::any_of(score.evidence.begin(), score.evidence.end(), is_backup),
          .inverted = check.invert};
}

void WriteJudgements(const Score& score, JsonStream& json) {
  json.Key("individualJudgements");
  json.OpenList();
  for (const Evidence& vote : score.evidence) {
    json.OpenMap();
    json.Text("judgeModelId", vote.source);
    json.Number("coverageExtent", vote.value);
    json.Text("reflection", vote.text);
    json.Close();
  }
  json.Close();
}

// What every point says of its check.
void WriteCheck(const Check& check, std::string_view path_id, JsonStream& json) {
  json.Number("multiplier", check.weight);
  json.Member("citation", check.citation);
  json.Flag("isInverted", check.invert);
  TextIfAny("pathId", path_id, json);
}

void WriteJudgedPoint(const Suite& suite, const Check& check, std::string_view path_id,
                      const PointResult& result, JsonStream& json) {
  const Score& score = *result.score;
  json.Text("keyPointText", check.text);
  NumberIfKnown("coverageExtent", result.value, json);
  std::string error = score.error;
  if (!score.evidence.empty()) {
    const ConsensusSentence sentence = SentenceOf(suite, check, score);
    json.Text("reflection", ConsensusReflection(sentence));
    error = PartialConsensusError(sentence);
  } else {
    TextIfAny("reflection", score.explanation, json);
  }
  TextIfAny("error", error, json);
  if (!score.evidence.empty()) WriteJudgements(score, json);
  TextIfAny("judgeModelId", score.grader, json);
  WriteCheck(check, path_id, json);
}

// A function that does not exist or broke off: its error comes first, and again as the reflection.
void WriteBrokenFunction(const Check& check, std::string_view path_id, const Score& score, JsonStream& json) {
  json.Text("keyPointText", check.text);
  json.Text("error", score.error);
  json.Text("reflection", BrokenFunctionReflection(score.error));
  WriteCheck(check, path_id, json);
}

void WriteFunctionPoint(const Check& check, std::string_view path_id, const PointResult& result,
                        JsonStream& json) {
  const Score& score = *result.score;
  if (!result.value && IsBrokenFunction(score.error)) return WriteBrokenFunction(check, path_id, score, json);
  json.Text("keyPointText", check.text);
  NumberIfKnown("coverageExtent", result.value, json);
  WriteCheck(check, path_id, json);
  if (result.value) {
    json.Text("reflection",
              score.explanation.empty() ? FunctionReflection(check.kind, *result.value) : score.explanation);
  }
  TextIfAny("error", score.error, json);
}

}  // namespace

std::vector<PointPlace> PointOrder(const Case& the_case) {
  std::vector<std::string_view> labels(the_case.checks.size());
  LabelLeaves(the_case.tree, {}, labels);
  std::vector<PointPlace> order;
  order.reserve(labels.size());
  for (const bool judged : {false, true}) {
    for (std::size_t i = 0; i < the_case.checks.size(); ++i) {
      if (the_case.checks[i].IsCriterion() == judged)
        order.push_back({static_cast<CheckIndex>(i), labels[i]});
    }
  }
  return order;
}

void WritePoint(const Suite& suite, const Check& check, std::string_view path_id, const PointResult& result,
                JsonStream& json) {
  json.OpenMap();
  if (check.IsCriterion()) {
    WriteJudgedPoint(suite, check, path_id, result, json);
  } else {
    WriteFunctionPoint(check, path_id, result, json);
  }
  json.Close();
}

void WriteCorePoint(const Check& check, std::string_view path_id, const PointResult& result,
                    JsonStream& json) {
  json.OpenMap();
  NumberIfKnown("coverageExtent", result.value, json);
  json.Number("multiplier", check.weight);
  json.Flag("isInverted", check.invert);
  const std::vector<double> votes = VotesOf(*result.score);
  if (votes.size() > 1) json.Number("judgeStdDev", PopulationStandardDeviation(votes));
  TextIfAny("pathId", path_id, json);
  json.Close();
}

}  // namespace assay::blueprint
