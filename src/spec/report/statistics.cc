// Computes means, deviations and similarities over spans of doubles.
#include "spec/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/errors/assert.h"

namespace assay {
namespace {

double SumOfSquaredDeviations(std::span<const double> values) {
  const double mean = Mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace

double PairwiseSum(std::span<const double> values) {
  constexpr std::size_t kLanes = 8;
  constexpr std::size_t kBlockMax = 128;  // values that are added without being halved
  const std::size_t size = values.size();
  if (size < kLanes) return std::accumulate(values.begin(), values.end(), 0.0);
  if (size > kBlockMax) {
    const std::size_t half = size / 2 - size / 2 % kLanes;
    return PairwiseSum(values.first(half)) + PairwiseSum(values.subspan(half));
  }
  double lanes[kLanes];
  std::copy_n(values.begin(), kLanes, lanes);
  std::size_t next = kLanes;
  for (; next + kLanes <= size; next += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[next + lane];
  }
  double sum =
      ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  for (; next < size; ++next) sum += values[next];
  return sum;
}

double Mean(std::span<const double> values) {
  ASSAY_ASSERT(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> SampleStandardDeviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return std::sqrt(SumOfSquaredDeviations(values) / static_cast<double>(values.size() - 1));
}

double PopulationStandardDeviation(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::sqrt(SumOfSquaredDeviations(values) / static_cast<double>(values.size()));
}

std::optional<double> CosineSimilarity(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::nullopt;
  if (a.empty()) return 1;
  double dot = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * b[i];
    squares_a += a[i] * a[i];
    squares_b += b[i] * b[i];
  }
  if (squares_a == 0 || squares_b == 0) return 0;
  return std::clamp(dot / (std::sqrt(squares_a) * std::sqrt(squares_b)), -1.0, 1.0);
}

}  // namespace assay
