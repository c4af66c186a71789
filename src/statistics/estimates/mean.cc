// Chooses and computes the interval of a mean, by range and kind of the scores.
#include "statistics/estimates/mean.h"

#include <algorithm>
#include <cmath>

#include "statistics/estimates/special.h"

namespace assay {

namespace {

bool LiesWithin(std::span<const double> values, const ScoreRange& range) {
  return std::all_of(values.begin(), values.end(),
                     [&](double value) { return value >= range.low && value <= range.high; });
}

// The number of scored cells where each of them is 0 or 1; nothing where one is not.
std::optional<double> CellsIfBinary(const Sample& sample, const Design& design) {
  if (!design.range || design.range->low != 0 || design.range->high != 1) return std::nullopt;
  double cells = 0;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (!design.IsUsed(sample.cases[i], i)) continue;
    if (!sample.cases[i].is_binary) return std::nullopt;
    cells += sample.cases[i].scored;
  }
  return cells;
}

double EffectiveClusters(const Weighted& weighted) {
  double sum = 0;
  double squares = 0;
  for (const double weight : weighted.ClusterWeights()) {
    sum += weight;
    squares += weight * weight;
  }
  return sum * sum / squares;
}

void SetWilson(MeanEstimate& estimate, const ScoreRange& range, double p, double count, double quantile) {
  estimate.effective_cases = count;
  estimate.quantile = quantile;
  estimate.method = MeanMethod::kWilson;
  estimate.interval = WilsonIntervalIn(range, p, count, quantile);
}

void SetStudent(MeanEstimate& estimate) {
  if (*estimate.se == 0) {
    estimate.why = Why::kNoSpread;
    return;
  }
  estimate.quantile = StudentQuantile(0.975, *estimate.df);
  estimate.method = MeanMethod::kStudent;
  estimate.interval = Interval{*estimate.mean - *estimate.quantile * *estimate.se,
                               *estimate.mean + *estimate.quantile * *estimate.se};
}

// The interval inside a range: the first of the cases below that applies.
void SetInRange(MeanEstimate& estimate, const Weighted& weighted, const ScoreRange& range,
                std::optional<double> cap, double scale) {
  const double width = range.high - range.low;
  const double n = static_cast<double>(weighted.size());
  double p = (*estimate.mean - range.low) / width;
  const bool is_edge =
      AreAllEqual(weighted.values, scale) && (std::abs(*estimate.mean - range.low) <= kNoise * scale ||
                                              std::abs(*estimate.mean - range.high) <= kNoise * scale);
  if (is_edge) {
    p = p < 0.5 ? 0 : 1;
    return SetWilson(estimate, range, p, EffectiveClusters(weighted), kNormal975);
  }
  if (cap && *cap == n && weighted.cluster_count == weighted.size() && weighted.has_equal_weights)
    return SetWilson(estimate, range, p, n, kNormal975);
  if (weighted.cluster_count < 2) {
    if (cap) return SetWilson(estimate, range, p, EffectiveClusters(weighted), kNormal975);
    estimate.why = weighted.size() == 1 ? Why::kOneCase : Why::kOneCluster;
    return;
  }
  const double quantile = StudentQuantile(0.975, *estimate.df);
  if (*estimate.se == 0) {
    if (cap) return SetWilson(estimate, range, p, *cap, quantile);
    estimate.why = Why::kNoSpread;
    return;
  }
  const double variance = (*estimate.se / width) * (*estimate.se / width);
  const double count = n * p * (1 - p) / ((n - 1) * variance);
  SetWilson(estimate, range, p, cap ? std::min(count, *cap) : count, quantile);
}

}  // namespace

Interval WilsonInterval(double p, double count, double quantile) {
  const double square = quantile * quantile;
  const double middle = p + square / (2 * count);
  const double half = quantile * std::sqrt(p * (1 - p) / count + square / (4 * count * count));
  const double divisor = 1 + square / count;
  return {p == 0 ? 0 : (middle - half) / divisor, p == 1 ? 1 : (middle + half) / divisor};
}

Interval WilsonIntervalIn(const ScoreRange& range, double p, double count, double quantile) {
  const Interval share = WilsonInterval(p, count, quantile);
  const double width = range.high - range.low;
  return {p == 0 ? range.low : range.low + width * share.low,
          p == 1 ? range.high : range.low + width * share.high};
}

MeanEstimate EstimateMean(const Sample& sample, const Design& design) {
  MeanEstimate estimate;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (design.IsUsed(sample.cases[i], i)) estimate.cells += sample.cases[i].scored;
  }
  const Weighted weighted = UsedValues(sample, design);
  estimate.cases = weighted.size();
  estimate.cases_left_out = sample.cases.size() - weighted.size();
  estimate.clusters = weighted.cluster_count;
  if (weighted.size() == 0) {
    estimate.why = Why::kNoCase;
    return estimate;
  }
  const double scale = LargestOf(weighted.values);
  const ClusteredMean over = MeanOver(weighted, scale);
  estimate.mean = over.mean;
  estimate.se = over.se;
  if (over.se) estimate.df = over.df;
  if (design.range && LiesWithin(weighted.values, *design.range)) {
    SetInRange(estimate, weighted, *design.range, CellsIfBinary(sample, design), scale);
  } else if (weighted.cluster_count < 2) {
    estimate.why = weighted.size() == 1 ? Why::kOneCase : Why::kOneCluster;
  } else {
    SetStudent(estimate);
  }
  return estimate;
}

}  // namespace assay
