// Means, deviations and similarities over plain spans.
#include "spec/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"

namespace assay {
namespace {

double SumOfSquaredDeviations(std::span<const double> values) {
  const double mean = Mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace

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
