// Sorts variants by mean, compares each with every other, of very many the first ones with every other, and
// counts those that are shown to be better.
#include "statistics/decisions/rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "statistics/decisions/power.h"

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

// How many tests the first places have with all below them, of `count` places.
std::size_t TestsOf(std::size_t first, std::size_t count) { return first * (2 * count - first - 1) / 2; }

// How many of the first places are compared with all below them.
std::size_t PlacesToCompare(std::size_t count) {
  std::size_t first = 1;
  while (first < count && TestsOf(first + 1, count) <= kRankTestsMax) ++first;
  return first;
}

// Where the test of two places stands among `count` places.
std::size_t PlaceOfTest(std::size_t above, std::size_t below, std::size_t count) {
  return above * (2 * count - above - 1) / 2 + below - above - 1;
}

void CompareAll(Ranking& ranking, std::span<const Sample> samples, const Design& design) {
  const std::size_t count = ranking.places.size();
  ranking.compared = PlacesToCompare(count);
  ranking.tests.reserve(TestsOf(ranking.compared, count));
  for (std::size_t i = 0; i < ranking.compared; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const VariantNumber a = ranking.places[i].variant;
      const VariantNumber b = ranking.places[j].variant;
      ranking.tests.push_back({.a = a, .b = b, .paired = ComparePaired(samples[a], samples[b], design)});
    }
  }
}

// Each place holds its comparisons together by Holm's steps; of a pair the larger of both values counts.
void CorrectAll(Ranking& ranking) {
  const std::size_t count = ranking.places.size();
  std::vector<RankTest*> own;
  std::vector<double> p;
  for (std::size_t i = 0; i < count; ++i) {
    own.clear();
    p.clear();
    const std::size_t others = i < ranking.compared ? count : ranking.compared;
    for (std::size_t j = 0; j < others; ++j) {
      if (j == i) continue;
      RankTest& test = ranking.tests[PlaceOfTest(std::min(i, j), std::max(i, j), count)];
      if (!test.paired.p) continue;
      own.push_back(&test);
      p.push_back(*test.paired.p);
    }
    const std::vector<double> adjusted = HolmAdjusted(p, ranking.among - 1);
    for (std::size_t k = 0; k < own.size(); ++k)
      own[k]->p_corrected = std::max(own[k]->p_corrected.value_or(0), adjusted[k]);
  }
}

void SetRanks(Ranking& ranking) {
  const std::size_t count = ranking.places.size();
  for (RankPlace& place : ranking.places) place.rank_last = count;
  const std::optional<std::uint64_t> fewest = ranking.fewest();
  for (std::size_t i = 0; i < ranking.compared; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      RankTest& test = ranking.tests[PlaceOfTest(i, j, count)];
      RankPlace& above = ranking.places[i];
      RankPlace& below = ranking.places[j];
      if (test.paired.clusters >= *fewest) above.can_rank = below.can_rank = true;
      test.verdict = VerdictOf(test.paired, test.p_corrected.value_or(1));
      if (test.verdict != Verdict::kLeads && test.verdict != Verdict::kTrails) continue;
      const bool is_above_better = test.verdict == Verdict::kLeads;
      ++(is_above_better ? below : above).rank;
      --(is_above_better ? above : below).rank_last;
    }
  }
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

Ranking Rank(std::span<const Sample> samples, const Design& design) { return RankAmong(samples, design, 0); }

Ranking RankAmong(std::span<const Sample> samples, const Design& design, std::size_t among) {
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
  ranking.among = std::max(among, ranking.places.size());
  if (ranking.places.empty()) return ranking;
  CompareAll(ranking, samples, design);
  CorrectAll(ranking);
  SetRanks(ranking);
  return ranking;
}

std::optional<std::uint64_t> Ranking::fewest() const {
  if (places.size() < 2) return std::nullopt;
  return FewestClusters(std::max(among, places.size()));
}

const RankTest& Ranking::Test(std::size_t above, std::size_t below) const {
  static const RankTest kNotCompared;
  return above < compared ? tests[PlaceOfTest(above, below, places.size())] : kNotCompared;
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
