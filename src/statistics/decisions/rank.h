// Ranks variants: of each one the ranks that it may hold, corrected for its comparisons with all others (Hsu
// 1984; Mogstad et al. 2024). Of very many variants only the first ones are compared with all others. Also
// estimates the effect of one factor over variants equal in the others.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "statistics/decisions/paired.h"

namespace assay {

using VariantNumber = std::size_t;  // index into the samples given

// Holm (1979) for p-values in any order, counted as `tests` >= p.size() tests.
std::vector<double> HolmAdjusted(std::span<const double> p, std::size_t tests);

struct RankTest {
  VariantNumber a = 0;  // stands above b
  VariantNumber b = 0;
  PairedEstimate paired = {};  // a - b
  // Each of the two corrects it for its comparisons with all others; the larger value. Absent without a pair.
  std::optional<double> p_corrected = {};
  Verdict verdict = Verdict::kNotDefined;  // of a against b, by p_corrected
};

struct RankPlace {
  VariantNumber variant = 0;
  MeanEstimate estimate = {};
  // The ranks that it may hold, with 95 % confidence: 1 + those shown better, and the number of all less
  // those that it is shown better than.
  std::size_t rank = 1;
  std::size_t rank_last = 1;
  bool can_rank = false;  // shares FewestClusters with some other: data could show a difference
};

struct Ranking {
  std::vector<RankPlace> places = {};        // the mean descending
  std::vector<VariantNumber> unranked = {};  // without a score
  // Each of the first places with all below it, down the list. All places are among them unless their pairs
  // are more than kRankTestsMax. A pair without a test counts as one that shows nothing.
  std::vector<RankTest> tests = {};
  std::size_t compared = 0;  // how many places those are
  std::size_t among = 0;     // how many variants are ranked together: all places, or more

  // How many clusters of cases could rank them at least; nothing below two variants.
  std::optional<std::uint64_t> fewest() const;
  bool AreAllCompared() const { return compared + 1 >= places.size(); }
  // The test of two places, `above` < `below`. Of two places that are not compared one without a pair.
  const RankTest& Test(std::size_t above, std::size_t below) const;
};
// Of 500 places all pairs are tested. Time and memory would grow with the square of their number.
inline constexpr std::size_t kRankTestsMax = 125'000;
Ranking Rank(std::span<const Sample> samples, const Design& design);
// Of those that are left of so many, which others were shown to be worse before: they count as compared, too.
Ranking RankAmong(std::span<const Sample> samples, const Design& design, std::size_t among);

// The two levels of one factor, over the pairs (index with the level, index with the other) of variants that
// are equal in all other factors: per case the means over the pairs in which both have a score.
PairedEstimate CompareFactor(std::span<const Sample> samples,
                             std::span<const std::pair<VariantNumber, VariantNumber>> pairs,
                             const Design& design);

}  // namespace assay
