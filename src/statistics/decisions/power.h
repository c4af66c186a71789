// Power: the smallest difference that a number of cases could show, and the cases that a difference needs
// (level 95 %, power 80 %).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace assay {

inline constexpr double kTestLevel = 0.05;  // of p: from here on a difference is shown

// t(1 - 0.025/(variants - 1), df) + t(0.8, df) (Bloom 1995): a difference between two of so many variants
// that are ranked together is seen with power 0.8 from so many standard errors up. Two: a pair alone.
double PowerFactor(double df, std::size_t variants = 2);

// The fewest clusters of cases with which a sign test, corrected for the others of so many variants, reaches
// p <= 0.05 when one wins all of them: (variants - 1) * 2^(1 - G) <= 0.05. 6 for two variants, 10 for 16.
std::uint64_t FewestClusters(std::size_t variants);
inline constexpr std::uint64_t kClustersForPower = 6;  // FewestClusters of a pair

// The smallest difference seen among so many clusters whose differences have this spread; nothing below
// FewestClusters.
std::optional<double> SmallestDifferenceSeen(double spread, std::uint64_t clusters, std::size_t variants = 2);

inline constexpr std::uint64_t kCasesNeededMax = 1'000'000;
// How many cases see `difference` >= 0: at least FewestClusters, nothing above kCasesNeededMax.
std::optional<std::uint64_t> CasesNeeded(double spread, double difference, std::size_t variants = 2);

// The spread with `planned` attempts a case where `attempts` gave `spread`; `within` is the sum of both
// variants' mean squares within cases.
double SpreadAtAttempts(double spread, double within, double attempts, double planned);

}  // namespace assay
