// Sorts variants by mean and tests each against the leader of its tier.
#include "statistics/decisions/rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay {

namespace {

// Means descending; those within noise of each other in the order of the suite.
void SortPlaces(std::vector<RankPlace>& places) {
  const auto mean = [](const RankPlace& place) { return *place.estimate.mean; };
  std::stable_sort(places.begin(), places.end(),
                   [&](const RankPlace& a, const RankPlace& b) { return mean(a) > mean(b); });
  for (std::size_t first = 0; first < places.size();) {
    std::size_t end = first + 1;
    while (end < places.size() &&
           mean(places[first]) - mean(places[end]) <=
               kNoise * std::max(std::abs(mean(places[first])), std::abs(mean(places[end]))))
      ++end;
    std::sort(places.begin() + static_cast<std::ptrdiff_t>(first),
              places.begin() + static_cast<std::ptrdiff_t>(end),
              [](const RankPlace& a, const RankPlace& b) { return a.variant < b.variant; });
    first = end;
  }
}

// Tests places[leader] against all below it.
std::vector<RankTest> TestTier(std::span<const RankPlace> places, std::size_t leader,
                               std::span<const Sample> samples, const Design& design) {
  std::vector<RankTest> tests;
  std::vector<double> p;
  for (std::size_t i = leader + 1; i < places.size(); ++i) {
    RankTest& test = tests.emplace_back();
    test.a = places[leader].variant;
    test.b = places[i].variant;
    test.paired = ComparePaired(samples[test.a], samples[test.b], design);
    if (test.paired.p) p.push_back(*test.paired.p);
  }
  const std::size_t variants = places.size() - leader;
  const std::vector<double> adjusted = HolmAdjusted(p, variants * (variants - 1) / 2);
  std::size_t next = 0;
  for (RankTest& test : tests) {
    if (!test.paired.p) continue;
    test.p_holm = adjusted[next++];
    test.is_worse = VerdictOf(test.paired, *test.p_holm) == Verdict::kLeads;
  }
  return tests;
}

}  // namespace

std::vector<double> HolmAdjusted(std::span<const double> p, std::size_t tests) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(tests - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

Ranking Rank(std::span<const Sample> samples, const Design& design) {
  Ranking ranking;
  for (VariantNumber variant = 0; variant < samples.size(); ++variant) {
    RankPlace place{.variant = variant, .estimate = EstimateMean(samples[variant], design)};
    if (place.estimate.mean) {
      ranking.places.push_back(std::move(place));
    } else {
      ranking.unranked.push_back(variant);
    }
  }
  SortPlaces(ranking.places);
  for (std::size_t leader = 0; leader < ranking.places.size();) {
    const std::vector<RankTest> tests = TestTier(ranking.places, leader, samples, design);
    std::size_t next = ranking.places.size();
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (leader == 0) ranking.places[i + 1].is_below_first = tests[i].is_worse;
      if (tests[i].is_worse) next = std::min(next, leader + 1 + i);
    }
    for (std::size_t i = leader; i < next; ++i) ranking.places[i].rank = leader + 1;
    ranking.tests.insert(ranking.tests.end(), tests.begin(), tests.end());
    leader = next;
  }
  return ranking;
}

PairedEstimate CompareFactor(std::span<const Sample> samples,
                             std::span<const std::pair<VariantNumber, VariantNumber>> pairs,
                             const Design& design) {
  Sample with;
  Sample against;
  const std::size_t cases = samples.empty() ? 0 : samples.front().cases.size();
  for (std::size_t i = 0; i < cases; ++i) {
    CaseValue a;
    CaseValue b;
    std::uint32_t used = 0;
    for (const auto& [first, second] : pairs) {
      const CaseValue& x = samples[first].cases[i];
      const CaseValue& y = samples[second].cases[i];
      if (x.scored == 0 || y.scored == 0) continue;
      ++used;
      a.value += x.value;
      b.value += y.value;
      a.scored += x.scored;
      b.scored += y.scored;
      a.is_binary = a.is_binary && x.is_binary;
      b.is_binary = b.is_binary && y.is_binary;
    }
    if (used > 0) {
      a.value /= used;
      b.value /= used;
    }
    with.cases.push_back(a);
    against.cases.push_back(b);
  }
  return ComparePaired(with, against, design);
}

}  // namespace assay
