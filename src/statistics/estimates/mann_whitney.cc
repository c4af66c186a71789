// Ranks both samples together, ties by their mean rank.
#include "statistics/estimates/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "statistics/estimates/special.h"
#include "statistics/sample.h"

namespace assay {

double MannWhitneyTwoSidedP(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<std::pair<double, bool>> all;
  for (const double value : a) all.emplace_back(value, true);
  for (const double value : b) all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  const double noise = kNoise * std::max(LargestOf(a), LargestOf(b));
  double rank_sum = 0;  // of a
  double ties = 0;      // sum of t³ - t
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].first - all[end - 1].first <= noise) ++end;
    const double rank = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t i = begin; i < end; ++i)
      if (all[i].second) rank_sum += rank;
    const auto tied = static_cast<double>(end - begin);
    ties += tied * tied * tied - tied;
    begin = end;
  }
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
  if (variance <= 0) return 1;
  const double distance = std::abs(rank_sum - n * (n + 1) / 2 - n * m / 2) - 0.5;
  return std::min(1.0, 2 * NormalBelow(-distance / std::sqrt(variance)));
}

}  // namespace assay
