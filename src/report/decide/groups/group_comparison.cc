// Aligns the scores of both sides, and estimates each group of them.
#include "report/decide/groups/group_comparison.h"

#include <algorithm>
#include <numeric>

#include "report/decide/groups/group_tables.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/rank.h"

namespace assay {

namespace {

// Both sides over the cases that both have a score for; the others have no value on either.
struct AlignedSides {
  PairedScores scores;
  Sample passes_a;
  Sample passes_b;

  Design design() const { return scores.design(); }
  Design pass_design() const {
    Design design = scores.design();
    design.range = ScoreRange{0, 1};
    return design;
  }
};

Sample PassesOfSide(const Contender& contender, CaseIndex CasePair::*side, std::span<const CasePair> pairs) {
  Sample sample;
  for (const CasePair& pair : pairs) {
    CaseValue& value = sample.cases.emplace_back();
    if (contender.passes == nullptr) continue;
    const PassCount& count = (*contender.passes)[contender.variant][pair.*side];
    if (count.scored == 0) continue;
    value.value = static_cast<double>(count.passed) / static_cast<double>(count.scored);
    value.scored = static_cast<std::uint32_t>(count.scored);
  }
  return sample;
}

AlignedSides Align(const Contender& a, const Contender& b, std::span<const CasePair> pairs) {
  AlignedSides sides{.scores = AlignScores(a, b, pairs),
                     .passes_a = PassesOfSide(a, &CasePair::a, pairs),
                     .passes_b = PassesOfSide(b, &CasePair::b, pairs)};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (sides.scores.a.cases[i].scored > 0 && sides.scores.b.cases[i].scored > 0) continue;
    for (Sample* each : {&sides.scores.a, &sides.scores.b, &sides.passes_a, &sides.passes_b})
      each->cases[i] = CaseValue();
  }
  return sides;
}

// The same for some of the cases.
AlignedSides PartOf(const AlignedSides& sides, std::span<const std::uint32_t> cases) {
  AlignedSides part;
  part.scores.range = sides.scores.range;
  for (const std::uint32_t i : cases) {
    part.scores.a.cases.push_back(sides.scores.a.cases[i]);
    part.scores.b.cases.push_back(sides.scores.b.cases[i]);
    part.scores.weights.push_back(sides.scores.weights[i]);
    part.scores.clusters.push_back(sides.scores.clusters[i]);
    part.passes_a.cases.push_back(sides.passes_a.cases[i]);
    part.passes_b.cases.push_back(sides.passes_b.cases[i]);
  }
  return part;
}

GroupDifference DifferenceOf(std::string group, const AlignedSides& sides) {
  GroupDifference result;
  result.group = std::move(group);
  result.paired = ComparePaired(sides.scores.a, sides.scores.b, sides.design());
  result.mean_a = EstimateMean(sides.scores.a, sides.design());
  result.mean_b = EstimateMean(sides.scores.b, sides.design());
  result.pass_rate_a = EstimateMean(sides.passes_a, sides.pass_design()).mean;
  result.pass_rate_b = EstimateMean(sides.passes_b, sides.pass_design()).mean;
  result.p = result.paired.p;
  return result;
}

// Holm's values over the groups whose p is defined.
void CorrectGroups(std::vector<GroupDifference>& groups) {
  std::vector<double> p;
  for (const GroupDifference& each : groups) {
    if (each.paired.p) p.push_back(*each.paired.p);
  }
  const std::vector<double> adjusted = HolmAdjusted(p, p.size());
  std::size_t next = 0;
  for (GroupDifference& each : groups) {
    if (each.paired.p) each.p = adjusted[next++];
  }
}

MacroDifference MacroDifferenceOf(const AlignedSides& sides, std::span<const std::uint32_t> group_of,
                                  std::uint32_t count) {
  Sample differences;
  for (std::size_t i = 0; i < sides.scores.a.cases.size(); ++i) {
    const CaseValue& a = sides.scores.a.cases[i];
    CaseValue& difference = differences.cases.emplace_back();
    if (a.scored == 0) continue;
    difference.value = a.value - sides.scores.b.cases[i].value;
    difference.scored = 1;
    difference.is_binary = false;
  }
  Design free = sides.design();
  free.range.reset();
  MacroDifference macro;
  macro.difference = EstimateGroups(differences, group_of, count, free).macro;
  if (sides.scores.range && macro.difference.interval) {
    const double width = sides.scores.range->high - sides.scores.range->low;
    Interval& interval = *macro.difference.interval;
    interval = {std::max(interval.low, -width), std::min(interval.high, width)};
  }
  macro.mean_a = EstimateGroups(sides.scores.a, group_of, count, sides.design()).macro.mean;
  macro.mean_b = EstimateGroups(sides.scores.b, group_of, count, sides.design()).macro.mean;
  macro.pass_rate_a = EstimateGroups(sides.passes_a, group_of, count, sides.pass_design()).macro.mean;
  macro.pass_rate_b = EstimateGroups(sides.passes_b, group_of, count, sides.pass_design()).macro.mean;
  return macro;
}

GroupDifferences DifferencesOf(const GroupSplit& split, const AlignedSides& sides,
                               std::span<const CasePair> pairs) {
  GroupDifferences result;
  result.by = split.by;
  result.micro = DifferenceOf("", sides);
  std::vector<std::vector<std::uint32_t>> cases(split.names.size());
  std::vector<std::uint32_t> group_of;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (!split.overlaps()) {
      group_of.push_back(split.of[pairs[i].a]);
      cases[group_of.back()].push_back(i);
      continue;
    }
    for (std::size_t g = 0; g < split.cases.size(); ++g) {
      if (std::binary_search(split.cases[g].begin(), split.cases[g].end(), pairs[i].a)) cases[g].push_back(i);
    }
  }
  for (std::size_t g = 0; g < split.names.size(); ++g) {
    GroupDifference difference = DifferenceOf(split.names[g], PartOf(sides, cases[g]));
    if (difference.paired.cases > 0) result.groups.push_back(std::move(difference));
  }
  CorrectGroups(result.groups);
  if (!split.overlaps())
    result.macro = MacroDifferenceOf(sides, group_of, static_cast<std::uint32_t>(split.names.size()));
  return result;
}

}  // namespace

std::vector<GroupDifferences> CompareGroups(const Contender& a, const Contender& b,
                                            std::span<const CasePair> pairs, GroupBy by) {
  std::vector<GroupDifferences> results;
  const AlignedSides sides = Align(a, b, pairs);
  for (const GroupSplit& split : SplitsOf(*a.suite, by)) {
    if (split.names.size() <= kGroupsShownMax) results.push_back(DifferencesOf(split, sides, pairs));
  }
  return results;
}

}  // namespace assay
