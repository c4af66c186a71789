// Computes power and sample size by Student's distribution.
#include "statistics/decisions/power.h"

#include <algorithm>
#include <cmath>

#include "statistics/estimates/special.h"

namespace assay {

double PowerFactor(double df) { return StudentQuantile(0.975, df) + StudentQuantile(0.8, df); }

std::optional<double> SmallestDifferenceSeen(double spread, std::uint64_t clusters) {
  if (clusters < kClustersForPower) return std::nullopt;
  const double count = static_cast<double>(clusters);
  return PowerFactor(count - 1) * spread / std::sqrt(count);
}

std::optional<std::uint64_t> CasesNeeded(double spread, double difference) {
  if (difference == 0) return std::nullopt;
  const auto sees = [&](std::uint64_t count) { return SmallestDifferenceSeen(spread, count) <= difference; };
  std::uint64_t high = kClustersForPower;
  if (sees(high)) return high;
  while (high <= kCasesNeededMax && !sees(high)) high *= 2;
  std::uint64_t low = high / 2;  // does not see it
  high = std::min(high, kCasesNeededMax);
  if (!sees(high)) return std::nullopt;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (sees(middle) ? high : low) = middle;
  }
  return high;
}

double SpreadAtAttempts(double spread, double within, double attempts, double planned) {
  return std::sqrt(std::max(0.0, spread * spread - within / attempts) + within / planned);
}

}  // namespace assay
