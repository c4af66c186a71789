// Computes mean squares and the components of variance.
#include "statistics/estimates/spread.h"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

constexpr double kNothing = 1e-24;

double SquaresAround(std::span<const double> values, double center) {
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return squares;
}

void SetShares(SpreadParts& parts, double of_case, double of_sampling, double of_judge) {
  const double sum = of_case + of_sampling + of_judge;
  parts.se = std::sqrt(sum);
  if (sum <= kNothing) {
    parts.why = Why::kNoSpread;
    parts.se = 0;
    return;
  }
  parts.of_case = of_case / sum;
  if (parts.sampling_part) parts.of_sampling = of_sampling / sum;
  if (parts.judge_part) parts.of_judge = of_judge / sum;
}

// One attempt each: chance and the choice of cases cannot be separated.
void SplitSingle(SpreadParts& parts, std::span<const double> means, std::optional<double> judge_variance) {
  const double n = static_cast<double>(means.size());
  double variance = SquaresAround(means, MeanOf(means)) / (n - 1);
  if (variance <= kNothing) variance = 0;
  if (judge_variance) parts.judge_part = std::min(*judge_variance, variance);
  parts.case_part = variance - parts.judge_part.value_or(0);
  SetShares(parts, *parts.case_part / n, 0, parts.judge_part.value_or(0) / n);
  if (parts.why == Why::kNone) parts.why = Why::kOneAttempt;
}

}  // namespace

std::optional<double> JudgeVariance(std::span<const JudgedPoint> points) {
  double weights = 0;
  for (const JudgedPoint& point : points) weights += point.weight;
  if (!(weights > 0)) return std::nullopt;
  double variance = 0;
  for (const JudgedPoint& point : points) {
    if (point.weight == 0) continue;
    const double votes = static_cast<double>(point.votes.size());
    if (point.votes.size() < 2) return std::nullopt;
    const double share = point.weight / weights;
    variance += share * share * SquaresAround(point.votes, MeanOf(point.votes)) / (votes - 1) / votes;
  }
  return variance;
}

SpreadParts SplitSpread(std::span<const std::vector<double>> cases, std::optional<double> judge_variance) {
  SpreadParts parts;
  std::vector<double> means;
  std::vector<double> counts;
  double sum = 0;
  double within = 0;
  for (const std::vector<double>& scores : cases) {
    if (scores.empty()) continue;
    means.push_back(MeanOf(scores));
    counts.push_back(static_cast<double>(scores.size()));
    parts.cells += scores.size();
    for (const double score : scores) sum += score;
    within += SquaresAround(scores, means.back());
  }
  parts.cases = means.size();
  if (parts.cases < 2) {
    parts.why = parts.cases == 0 ? Why::kNoCase : Why::kOneCase;
    return parts;
  }
  if (parts.cells == parts.cases) {
    SplitSingle(parts, means, judge_variance);
    return parts;
  }
  const double n = static_cast<double>(parts.cases);
  const double cells = static_cast<double>(parts.cells);
  const double grand = sum / cells;
  double between = 0;
  double count_squares = 0;
  double inverse_sum = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    between += counts[i] * (means[i] - grand) * (means[i] - grand);
    count_squares += counts[i] * counts[i];
    inverse_sum += 1 / counts[i];
  }
  parts.ms_within = within / (cells - n);
  parts.ms_between = between / (n - 1);
  parts.attempts = (cells - count_squares / cells) / (n - 1);
  if (*parts.ms_within + *parts.ms_between <= kNothing) parts.ms_within = parts.ms_between = 0;
  if (judge_variance) parts.judge_part = std::min(*judge_variance, *parts.ms_within);
  parts.sampling_part = *parts.ms_within - parts.judge_part.value_or(0);
  parts.case_part = std::max(0.0, (*parts.ms_between - *parts.ms_within) / *parts.attempts);
  const double total = *parts.case_part + *parts.ms_within;
  if (total > kNothing) parts.icc = *parts.case_part / total;
  SetShares(parts, *parts.case_part / n, *parts.sampling_part * inverse_sum / (n * n),
            parts.judge_part.value_or(0) * inverse_sum / (n * n));
  return parts;
}

}  // namespace assay
