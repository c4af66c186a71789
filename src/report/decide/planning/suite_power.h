// Power of a suite: the smallest differences that its cases could show, between two variants and in a ranking
// of all (spec: statistics 6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/errors/result.h"
#include "spec/report/report.h"
#include "statistics/decisions/power.h"
#include "statistics/decisions/sentences.h"

namespace assay {

inline constexpr double kSpreadAssumed = 0.35;  // of differences between two variants, where no run tells

// The spread of differences between two variants of a run, the median over all pairs, as it would be with
// `attempts` at each case. Nothing where no pair tells.
Result<std::optional<double>> SpreadOfDifferences(const Report& report, AttemptIndex attempts);

struct SuitePower {
  double spread = kSpreadAssumed;
  SuiteReach reach = {};                          // of its clusters of cases and its variants
  std::uint64_t fewest = kClustersForPower;       // clusters that could rank the variants
  std::optional<std::uint64_t> cases_for_5 = {};  // that see 5 points between two variants
  std::string sentence = {};
};
SuitePower PowerOf(const Suite& suite, double spread);

// "9 cases cannot rank 16 variants; 10 could": of a suite whose design no data could decide. Nothing of
// others, and of one with fewer than two variants.
std::optional<std::string> TooFewCasesText(const Suite& suite);
std::string TooFewCasesText(std::uint64_t clusters, std::size_t variants, std::string_view noun = "case");

}  // namespace assay
