// Writes the members of point assessments in the order in which weval writes them.
#include "dialects/blueprint/write/points.h"

#include <algorithm>
#include <utility>

#include "dialects/blueprint/write/sentences.h"
#include "spec/report/statistics.h"

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

void AppendIfSet(Map& map, std::string key, const Value& value) {
  if (!value.is_undefined()) map.Append(std::move(key), value);
}

void AppendIfNotEmpty(Map& map, std::string key, std::string_view text) {
  if (!text.empty()) map.Append(std::move(key), text);
}

void AppendNumber(Map& map, std::string key, std::optional<double> number) {
  if (number) map.Append(std::move(key), *number);
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

Value Judgements(const Score& score) {
  List list;
  for (const Evidence& vote : score.evidence) {
    Map entry;
    entry.Append("judgeModelId", vote.source);
    entry.Append("coverageExtent", vote.value);
    entry.Append("reflection", vote.text);
    list.push_back(std::move(entry));
  }
  return list;
}

Map JudgedPoint(const Suite& suite, const Check& check, std::string_view path_id, const PointResult& result) {
  const Score& score = *result.score;
  Map map;
  map.Append("keyPointText", check.text);
  AppendNumber(map, "coverageExtent", result.value);
  std::string error = score.error;
  if (!score.evidence.empty()) {
    const ConsensusSentence sentence = SentenceOf(suite, check, score);
    map.Append("reflection", ConsensusReflection(sentence));
    error = PartialConsensusError(sentence);
  } else {
    AppendIfNotEmpty(map, "reflection", score.explanation);
  }
  AppendIfNotEmpty(map, "error", error);
  if (!score.evidence.empty()) map.Append("individualJudgements", Judgements(score));
  AppendIfNotEmpty(map, "judgeModelId", score.grader);
  map.Append("multiplier", check.weight);
  AppendIfSet(map, "citation", check.citation);
  map.Append("isInverted", check.invert);
  AppendIfNotEmpty(map, "pathId", path_id);
  return map;
}

// A function that does not exist or broke off: its error comes first, and again as the reflection.
Map BrokenFunctionPoint(const Check& check, std::string_view path_id, const Score& score) {
  Map map;
  map.Append("keyPointText", check.text);
  map.Append("error", score.error);
  map.Append("reflection", BrokenFunctionReflection(score.error));
  map.Append("multiplier", check.weight);
  AppendIfSet(map, "citation", check.citation);
  map.Append("isInverted", check.invert);
  AppendIfNotEmpty(map, "pathId", path_id);
  return map;
}

Map FunctionPoint(const Check& check, std::string_view path_id, const PointResult& result) {
  const Score& score = *result.score;
  if (!result.value && IsBrokenFunction(score.error)) return BrokenFunctionPoint(check, path_id, score);
  Map map;
  map.Append("keyPointText", check.text);
  AppendNumber(map, "coverageExtent", result.value);
  map.Append("multiplier", check.weight);
  AppendIfSet(map, "citation", check.citation);
  map.Append("isInverted", check.invert);
  AppendIfNotEmpty(map, "pathId", path_id);
  if (result.value) {
    map.Append("reflection",
               score.explanation.empty() ? FunctionReflection(check.kind, *result.value) : score.explanation);
  }
  AppendIfNotEmpty(map, "error", score.error);
  return map;
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

Value PointAssessment(const Suite& suite, const Check& check, std::string_view path_id,
                      const PointResult& result) {
  if (check.IsCriterion()) return JudgedPoint(suite, check, path_id, result);
  return FunctionPoint(check, path_id, result);
}

Value CorePointAssessment(const Check& check, std::string_view path_id, const PointResult& result) {
  Map map;
  AppendNumber(map, "coverageExtent", result.value);
  map.Append("multiplier", check.weight);
  map.Append("isInverted", check.invert);
  if (result.score->evidence.size() > 1) {
    map.Append("judgeStdDev", PopulationStandardDeviation(VotesOf(*result.score)));
  }
  AppendIfNotEmpty(map, "pathId", path_id);
  return map;
}

}  // namespace assay::blueprint
