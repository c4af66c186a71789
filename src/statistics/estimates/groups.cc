// Computes means by group and Welch's interval of their mean.
#include "statistics/estimates/groups.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "statistics/estimates/special.h"

namespace assay {

namespace {

// The values, weights and clusters of the cases of one group.
struct GroupPart {
  Sample sample;
  std::vector<double> weights;
  std::vector<std::uint32_t> clusters;

  void Add(const CaseValue& value, double weight, std::uint32_t cluster) {
    sample.cases.push_back(value);
    weights.push_back(weight);
    clusters.push_back(cluster);
  }
  Design InRange(const std::optional<ScoreRange>& range) const {
    return {.weights = weights, .clusters = clusters, .range = range};
  }
};

// What the macro mean takes from all groups.
struct MacroInput {
  std::vector<const MeanEstimate*> groups;  // those with a case
  std::vector<double> values;               // of all cases in use
  std::optional<double> cells;              // where each scored cell is 0 or 1
  double scale = 0;                         // the largest |value|
};

MacroInput InputOf(const Sample& sample, const std::vector<MeanEstimate>& groups, const Design& design) {
  MacroInput input;
  for (const MeanEstimate& group : groups) {
    if (group.cases > 0) input.groups.push_back(&group);
  }
  double cells = 0;
  bool is_binary = design.range && design.range->low == 0 && design.range->high == 1;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    const CaseValue& value = sample.cases[i];
    if (!design.IsUsed(value, i)) continue;
    input.values.push_back(value.value);
    cells += value.scored;
    is_binary = is_binary && value.is_binary;
  }
  if (is_binary) input.cells = cells;
  input.scale = LargestOf(input.values);
  return input;
}

// Whether cases of one cluster stand in several groups, whose means then rise and fall together.
bool DoClustersCross(std::span<const std::uint32_t> group_of, const Sample& sample, const Design& design) {
  if (design.clusters.empty()) return false;
  std::map<std::uint32_t, std::uint32_t> group_of_cluster;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (!design.IsUsed(sample.cases[i], i)) continue;
    const auto [found, is_new] = group_of_cluster.emplace(design.ClusterOf(i), group_of[i]);
    if (!is_new && found->second != group_of[i]) return true;
  }
  return false;
}

// The standard error over clusters that stand in several groups: of each the sum of its weighted distances
// from the means of its cases' groups.
void SetCrossedError(const Sample& sample, std::span<const std::uint32_t> group_of,
                     const std::vector<MeanEstimate>& groups, const Design& design, MacroEstimate& macro) {
  std::vector<double> weight_of_group(groups.size(), 0);
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (design.IsUsed(sample.cases[i], i)) weight_of_group[group_of[i]] += design.WeightOf(i);
  }
  std::map<std::uint32_t, double> sums;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (!design.IsUsed(sample.cases[i], i)) continue;
    const double share = design.WeightOf(i) / (weight_of_group[group_of[i]] * macro.groups);
    sums[design.ClusterOf(i)] += share * (sample.cases[i].value - *groups[group_of[i]].mean);
  }
  double squares = 0;
  for (const auto& [cluster, sum] : sums) squares += sum * sum;
  const double count = static_cast<double>(sums.size());
  macro.se = std::sqrt(count / (count - 1) * squares);
  macro.df = count - 1;
}

// se² = Σ se_g²/G², with Welch's degrees of freedom.
void SetError(const MacroInput& input, MacroEstimate& macro) {
  double sum = 0;
  double parts = 0;
  const double count = macro.groups;
  for (const MeanEstimate* group : input.groups) {
    const double variance = *group->se * *group->se / (count * count);
    sum += variance;
    parts += variance * variance / *group->df;
  }
  macro.se = std::sqrt(sum);
  if (parts > 0) macro.df = sum * sum / parts;
}

// Wilson's interval on so many cases.
void SetWilson(MacroEstimate& macro, const ScoreRange& range, double p, double count, double quantile) {
  macro.effective_cases = count;
  macro.quantile = quantile;
  macro.method = MeanMethod::kWilson;
  macro.interval = WilsonIntervalIn(range, p, count, quantile);
}

// Of one mean over all cases in which each group counts the same.
double EffectiveCases(const MacroInput& input) {
  double sum = 0;
  for (const MeanEstimate* group : input.groups) sum += 1 / static_cast<double>(group->clusters);
  const double count = static_cast<double>(input.groups.size());
  return count * count / sum;
}

double CountOf(const MacroInput& input) {
  double count = 0;
  for (const MeanEstimate* group : input.groups) count += group->clusters;
  return count;
}

// The variance if all groups had the spread that they have together. A group of two equal scores shows no
// spread of its own, which says little of cases that were not drawn.
double PooledVariance(const MacroInput& input) {
  double squares = 0;
  double freedom = 0;
  for (const MeanEstimate* group : input.groups) {
    squares += *group->se * *group->se * group->clusters * *group->df;
    freedom += *group->df;
  }
  return squares / freedom / EffectiveCases(input);
}

bool IsAtEdge(const MacroInput& input, const ScoreRange& range) {
  const double first = input.values.front();
  return AreAllEqual(input.values, input.scale) && (std::abs(first - range.low) <= kNoise * input.scale ||
                                                    std::abs(first - range.high) <= kNoise * input.scale);
}

void SetInterval(const MacroInput& input, const Design& design, MacroEstimate& macro) {
  const bool is_within =
      design.range && std::all_of(input.values.begin(), input.values.end(), [&design](double value) {
        return value >= design.range->low && value <= design.range->high;
      });
  if (is_within && IsAtEdge(input, *design.range)) {
    const double middle = (design.range->low + design.range->high) / 2;
    return SetWilson(macro, *design.range, *macro.mean < middle ? 0 : 1, EffectiveCases(input), kNormal975);
  }
  if (*macro.se <= kNoise * input.scale) {
    macro.se = 0;
    macro.df.reset();
    macro.why = Why::kNoSpread;
    return;
  }
  const double quantile = StudentQuantile(0.975, *macro.df);
  const double spread = std::max(*macro.se * *macro.se, PooledVariance(input));
  if (!is_within) {
    const double half = quantile * std::sqrt(spread);
    macro.quantile = quantile;
    macro.method = MeanMethod::kStudent;
    macro.interval = Interval{*macro.mean - half, *macro.mean + half};
    return;
  }
  const double width = design.range->high - design.range->low;
  const double p = (*macro.mean - design.range->low) / width;
  const double variance = spread / (width * width);
  double count = p * (1 - p) / variance;
  if (input.cells) count = std::min(count, *input.cells * EffectiveCases(input) / CountOf(input));
  SetWilson(macro, *design.range, p, count, quantile);
}

MacroEstimate MacroOf(const Sample& sample, std::span<const std::uint32_t> group_of,
                      const std::vector<MeanEstimate>& groups, const Design& design) {
  MacroEstimate macro;
  const MacroInput input = InputOf(sample, groups, design);
  macro.groups = static_cast<std::uint32_t>(input.groups.size());
  if (input.groups.empty()) {
    macro.why = Why::kNoCase;
    return macro;
  }
  double sum = 0;
  for (const MeanEstimate* group : input.groups) sum += *group->mean;
  macro.mean = sum / macro.groups;
  for (const MeanEstimate* group : input.groups) {
    if (group->clusters > 1) continue;
    macro.why = group->cases == 1 ? Why::kOneCase : Why::kOneCluster;
    return macro;
  }
  if (DoClustersCross(group_of, sample, design)) {
    SetCrossedError(sample, group_of, groups, design, macro);
  } else {
    SetError(input, macro);
  }
  SetInterval(input, design, macro);
  return macro;
}

}  // namespace

GroupMeans EstimateGroups(const Sample& sample, std::span<const std::uint32_t> group_of, std::uint32_t count,
                          const Design& design) {
  GroupMeans means;
  std::vector<GroupPart> parts(count);
  for (std::size_t i = 0; i < sample.cases.size(); ++i)
    parts[group_of[i]].Add(sample.cases[i], design.WeightOf(i), design.ClusterOf(i));
  for (const GroupPart& part : parts)
    means.groups.push_back(EstimateMean(part.sample, part.InRange(design.range)));
  means.micro = EstimateMean(sample, design);
  means.macro = MacroOf(sample, group_of, means.groups, design);
  return means;
}

MeanEstimate EstimatePart(const Sample& sample, std::span<const std::uint8_t> is_in, const Design& design) {
  GroupPart part;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (is_in[i] != 0) part.Add(sample.cases[i], design.WeightOf(i), design.ClusterOf(i));
  }
  return EstimateMean(part.sample, part.InRange(design.range));
}

}  // namespace assay
