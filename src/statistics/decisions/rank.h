// Ranks variants in tiers below a leader, with Holm's correction over all pairs; and estimates the effect of
// one factor over variants that are equal in the others.
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
  VariantNumber a = 0;  // the leader of a tier
  VariantNumber b = 0;  // ranked below it
  PairedEstimate paired;
  std::optional<double> p_holm = {};
  bool is_worse = false;  // b is worse than a
};

struct RankPlace {
  VariantNumber variant = 0;
  MeanEstimate estimate;
  std::size_t rank = 1;  // places of equal rank cannot be told from the first of them
  bool is_below_first = false;
};

struct Ranking {
  std::vector<RankPlace> places;        // the mean descending
  std::vector<VariantNumber> unranked;  // without a score
  std::vector<RankTest> tests;          // tier by tier, then down the list
};
Ranking Rank(std::span<const Sample> samples, const Design& design);

// The two levels of one factor, over the pairs (index with the level, index with the other) of variants that
// are equal in all other factors: per case the means over the pairs in which both have a score.
PairedEstimate CompareFactor(std::span<const Sample> samples,
                             std::span<const std::pair<VariantNumber, VariantNumber>> pairs,
                             const Design& design);

}  // namespace assay
