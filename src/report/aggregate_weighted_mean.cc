// The aggregation formula of blueprints: the weighted mean of the required checks and the best of the
// alternative paths.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "report/aggregate.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/javascript/number.h"

namespace assay {
namespace {

constexpr int kScoreDigits = 2;

// Running weighted mean of one group.
struct Group {
  double weighted = 0;
  double weight = 0;

  void Add(const Check& check, const Score& score) {
    if (score.state != ScoreState::kScored) return;
    weighted += score.value * check.weight;
    weight += check.weight;
  }
};

struct Part {
  bool scored = false;
  double value = 0;
};

// The parts of a node that have a score, as a mean.
struct MeanOfParts {
  double sum = 0;
  double count = 0;

  void Add(const Part& part) {
    if (!part.scored) return;
    sum += part.value;
    ++count;
  }
  Part Value() const { return count > 0 ? Part{true, sum / count} : Part{}; }
};

Part Evaluate(const CheckNode& node, const Case& the_case, std::span<const Score> scores);

Part BestChild(const CheckNode& node, const Case& the_case, std::span<const Score> scores) {
  Part best;
  for (const CheckNode& child : node.children) {
    const Part part = Evaluate(child, the_case, scores);
    if (part.scored && (!best.scored || part.value > best.value)) best = part;
  }
  return best;
}

// Functions before judged texts, as the original lists them: the order in which doubles are summed shows.
template <class Visit>
void ForEachLeafInOrder(const CheckNode& node, const Case& the_case, const Visit& visit) {
  for (const bool judged : {false, true}) {
    for (const CheckNode& child : node.children) {
      if (child.op != CheckNode::Op::kLeaf) continue;
      if (the_case.checks[child.check].IsCriterion() == judged) visit(child.check);
    }
  }
}

Part Evaluate(const CheckNode& node, const Case& the_case, std::span<const Score> scores) {
  if (node.op == CheckNode::Op::kAny) return BestChild(node, the_case, scores);
  Group own;
  if (node.op == CheckNode::Op::kLeaf) {
    own.Add(the_case.checks[node.check], scores[node.check]);
  } else {
    ForEachLeafInOrder(node, the_case, [&](CheckIndex i) { own.Add(the_case.checks[i], scores[i]); });
  }
  MeanOfParts mean;
  if (own.weight > 0) mean.Add({true, own.weighted / own.weight});
  for (const CheckNode& child : node.children) {
    if (child.op != CheckNode::Op::kLeaf) mean.Add(Evaluate(child, the_case, scores));
  }
  return mean.Value();
}

// One group of the original: all checks with one path label, in the order in which labels first appear.
struct LabelledGroup {
  std::string_view label;
  Group group;
};

class WevalGroups {
 public:
  WevalGroups(const Case& the_case, std::span<const Score> scores) : case_(the_case), scores_(scores) {
    std::vector<std::string_view> labels(case_.checks.size());
    LabelLeaves(case_.tree, {}, labels);
    for (const bool judged : {false, true}) {
      for (std::size_t i = 0; i < case_.checks.size(); ++i) {
        if (case_.checks[i].IsCriterion() == judged) Add(labels[i], i);
      }
    }
  }

  double Value() const {
    const bool has_required = !required_.empty();
    if (paths_.empty()) return has_required ? Mean(required_.front()) : 0;
    double best = Mean(paths_.front());
    for (const LabelledGroup& path : paths_) best = MaxOrNaN(best, Mean(path));
    return has_required ? (Mean(required_.front()) + best) / 2 : best;
  }

 private:
  static double Mean(const LabelledGroup& entry) {
    return entry.group.weight == 0 ? 0 : entry.group.weighted / entry.group.weight;
  }
  static double MaxOrNaN(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b);
  }

  void LabelLeaves(const CheckNode& node, std::string_view label,
                   std::vector<std::string_view>& labels) const {
    if (node.op == CheckNode::Op::kLeaf) {
      labels[node.check] = label;
      return;
    }
    for (const CheckNode& child : node.children)
      LabelLeaves(child, child.label->empty() ? label : *child.label, labels);
  }

  void Add(std::string_view label, std::size_t check) {
    std::vector<LabelledGroup>& groups = label.empty() ? required_ : paths_;
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const LabelledGroup& g) { return g.label == label; });
    if (found == groups.end()) found = groups.insert(groups.end(), {label, {}});
    found->group.Add(case_.checks[check], scores_[check]);
  }

  const Case& case_;
  std::span<const Score> scores_;
  std::vector<LabelledGroup> required_;  // at most one
  std::vector<LabelledGroup> paths_;
};

CellState StateWithoutScores(std::span<const Score> scores) {
  const bool failed =
      std::any_of(scores.begin(), scores.end(), [](const Score& s) { return s.state == ScoreState::kError; });
  return failed ? CellState::kError : CellState::kUnscored;
}

}  // namespace

CellOutcome WeightedMeanBestPath(const Case& the_case, std::span<const Score> scores) {
  const Part part = Evaluate(the_case.tree, the_case, scores);
  if (!part.scored) return {StateWithoutScores(scores), 0};
  return {CellState::kScored, RoundToFixed(part.value, kScoreDigits)};
}

double WeightedMeanBestPathWevalExact(const Case& the_case, std::span<const Score> scores) {
  return WevalGroups(the_case, scores).Value();
}

CellOutcome WeightedMeanBestPathWeval(const Case& the_case, std::span<const Score> scores) {
  if (scores.empty()) return {CellState::kUnscored, 0};
  return {CellState::kScored, RoundToFixed(WeightedMeanBestPathWevalExact(the_case, scores), kScoreDigits)};
}

}  // namespace assay
