// Power of a suite: the smallest difference between two variants that its cases could show (spec: statistics
// 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/errors/result.h"
#include "spec/report/report.h"

namespace assay {

inline constexpr double kSpreadAssumed = 0.35;  // of differences between two variants, where no run tells

// The spread of differences between two variants of a run, the median over all pairs, as it would be with
// `attempts` at each case. Nothing where no pair tells.
Result<std::optional<double>> SpreadOfDifferences(const Report& report, AttemptIndex attempts);

struct SuitePower {
  std::uint64_t cases = 0;  // clusters of them
  double spread = kSpreadAssumed;
  std::optional<double> smallest;            // the smallest difference seen with power 0.8
  std::optional<std::uint64_t> cases_for_5;  // that see 5 points
  std::string sentence;
};
SuitePower PowerOf(const Suite& suite, double spread);

}  // namespace assay
