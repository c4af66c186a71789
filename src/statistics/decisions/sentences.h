// Statistics in words: one sentence each. Points are hundredths of a score; rounding is half up, the minus
// sign is U+2212.
#pragma once

#include <span>
#include <string>

#include "statistics/decisions/rank.h"

namespace assay {

// "A scores 75 (95 %: 25 to 97) on 3 cases."
std::string MeanSentence(const std::string& name, const MeanEstimate& estimate);
// "A leads B by 8 points (95 %: 3 to 13) on 10 cases." `p`: the estimate's, or corrected for `variants` that
// are compared together.
std::string PairedSentence(const std::string& a, const std::string& b, const PairedEstimate& estimate,
                           double p, std::size_t variants = 2);
// The ranks that it may have: "1", "2–5"; "–" where no data could rank it.
std::string RankText(const RankPlace& place);
// What is shown of all variants; `names` by variant.
std::string RankingSentence(std::span<const std::string> names, const Ranking& ranking);
// "No regression shown: −2 points (95 %: −6 to 2) on 40 cases; drops below 6 points would often go unseen."
// `p`: Holm's over `gates` of them, or the estimate's.
std::string GateSentence(const GateEstimate& estimate, double p, std::size_t gates = 1);

// What a number of clusters of cases could show: the smallest differences seen with power 0.8.
struct SuiteReach {
  std::uint64_t clusters = 0;
  std::size_t variants = 2;
  std::optional<double> between_two = {};  // absent below kClustersForPower
  std::optional<double> in_ranking = {};   // absent below FewestClusters(variants)
};
// `spread`: of the differences between two variants.
SuiteReach ReachOf(double spread, std::uint64_t clusters, std::size_t variants);
// "With 40 cases this suite sees differences from 16 points up between two variants, from 22 in a …"
std::string PowerSentence(const SuiteReach& reach);

}  // namespace assay
