// Splits the variance of scores into cases, sampling and judges (ANOVA components, Searle 1971).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "statistics/sample.h"

namespace assay {

struct JudgedPoint {
  double weight = 1;
  std::vector<double> votes;
};
// The variance that judges' votes leave in the score of one attempt; absent where a point of weight > 0 has
// one vote, or no point has weight.
std::optional<double> JudgeVariance(std::span<const JudgedPoint> points);

struct SpreadParts {
  std::uint64_t cases = 0;
  std::uint64_t cells = 0;
  std::optional<double> ms_between = {};  // mean squares
  std::optional<double> ms_within = {};
  std::optional<double> attempts = {};   // k0: as if all cases had as many
  std::optional<double> case_part = {};  // components of variance
  std::optional<double> sampling_part = {};
  std::optional<double> judge_part = {};
  std::optional<double> icc = {};
  std::optional<double> of_case = {};  // shares of the variance of the mean
  std::optional<double> of_sampling = {};
  std::optional<double> of_judge = {};
  std::optional<double> se = {};
  Why why = Why::kNone;
};
// `cases`: the scores of each case's scored attempts. `judge_variance`: the mean of JudgeVariance.
SpreadParts SplitSpread(std::span<const std::vector<double>> cases, std::optional<double> judge_variance);

}  // namespace assay
