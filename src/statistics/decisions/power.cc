// Computes power and sample size by Student's distribution.
#include "statistics/decisions/power.h"

#include <algorithm>
#include <cmath>

#include "statistics/decisions/smallest_count.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

// How many others one variant is compared with; a single one is taken for one of a pair.
double Others(std::size_t variants) { return variants < 2 ? 1 : static_cast<double>(variants - 1); }

}  // namespace

double PowerFactor(double df, std::size_t variants) {
  return StudentQuantile(1 - kTestLevel / 2 / Others(variants), df) + StudentQuantile(0.8, df);
}

std::uint64_t FewestClusters(std::size_t variants) {
  std::uint64_t clusters = 1;
  for (double p = Others(variants); p > kTestLevel; p /= 2) ++clusters;
  return clusters;
}

std::optional<double> SmallestDifferenceSeen(double spread, std::uint64_t clusters, std::size_t variants) {
  if (clusters < FewestClusters(variants)) return std::nullopt;
  const double count = static_cast<double>(clusters);
  return PowerFactor(count - 1, variants) * spread / std::sqrt(count);
}

std::optional<std::uint64_t> CasesNeeded(double spread, double difference, std::size_t variants) {
  if (difference == 0) return std::nullopt;
  const auto sees = [&](std::uint64_t count) {
    return SmallestDifferenceSeen(spread, count, variants) <= difference;
  };
  return SmallestCount(FewestClusters(variants), kCasesNeededMax, sees);
}

double SpreadAtAttempts(double spread, double within, double attempts, double planned) {
  return std::sqrt(std::max(0.0, spread * spread - within / attempts) + within / planned);
}

}  // namespace assay
