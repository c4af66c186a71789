// Walks the tree; a missing score leaves the result open only where it could decide.
#include "spec/score/expectations.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"

namespace assay {

namespace {

std::optional<bool> HoldsNode(const CheckNode& node, const Case& the_case, std::span<const Score> scores) {
  if (node.op == CheckNode::Op::kLeaf) return Holds(the_case.checks[node.check], scores[node.check]);
  // A part that says so decides: one that fails of kAll, one that holds of kAny.
  const bool decisive = node.op == CheckNode::Op::kAny;
  bool is_known = true;
  for (const CheckNode& child : node.children) {
    const std::optional<bool> holds = HoldsNode(child, the_case, scores);
    if (holds == decisive) return decisive;
    is_known = is_known && holds.has_value();
  }
  if (!is_known) return std::nullopt;
  return !decisive;
}

}  // namespace

double ThresholdOf(const Check& check) {
  constexpr double kOfJudges = 0.5;
  if (check.threshold) return *check.threshold;
  return check.args.NumberAt("threshold").value_or(check.IsCriterion() ? kOfJudges : 1);
}

std::optional<bool> Holds(const Check& check, const Score& score) {
  if (score.state != ScoreState::kScored) return std::nullopt;
  if (score.verdict) return score.verdict;
  const double value = check.invert ? 1 - score.value : score.value;
  return (value >= ThresholdOf(check)) != check.invert;
}

std::optional<bool> Holds(const Case& the_case, std::span<const Score> scores) {
  if (scores.size() != the_case.checks.size()) return std::nullopt;
  return HoldsNode(the_case.tree, the_case, scores);
}

}  // namespace assay
