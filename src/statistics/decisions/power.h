// Power: the smallest difference that a number of cases could show, and the cases that a difference needs
// (level 95 %, power 80 %).
#pragma once

#include <cstdint>
#include <optional>

namespace assay {

// t(0.975, df) + t(0.8, df) (Bloom 1995): a difference is seen with power 0.8 from this many standard errors
// up.
double PowerFactor(double df);

// Below it no pair of signs reaches p <= 0.05: 2^(1 - 5) = 0.0625.
inline constexpr std::uint64_t kClustersForPower = 6;
// The smallest difference seen among so many cases whose differences have this spread; nothing below
// kClustersForPower.
std::optional<double> SmallestDifferenceSeen(double spread, std::uint64_t clusters);

inline constexpr std::uint64_t kCasesNeededMax = 1'000'000;
// How many cases see `difference` >= 0: at least kClustersForPower, nothing above kCasesNeededMax.
std::optional<std::uint64_t> CasesNeeded(double spread, double difference);

// The spread with `planned` attempts a case where `attempts` gave `spread`; `within` is the sum of both
// variants' mean squares within cases.
double SpreadAtAttempts(double spread, double within, double attempts, double planned);

}  // namespace assay
