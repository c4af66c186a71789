// PPI++ with errors over clusters: the weight of the judges, the estimate and its interval.
#include "statistics/agreement/labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "statistics/estimates/special.h"

namespace assay {

namespace {

Weighted Unweighted(std::span<const double> values, std::span<const std::uint32_t> clusters) {
  Weighted weighted;
  weighted.values.assign(values.begin(), values.end());
  weighted.weights.assign(values.size(), 1.0);
  weighted.clusters.assign(clusters.begin(), clusters.end());
  if (clusters.empty()) {
    weighted.clusters.resize(values.size());
    std::iota(weighted.clusters.begin(), weighted.clusters.end(), 0u);
  }
  weighted.NumberClusters();
  return weighted;
}

// How far the judges' scores are believed.
double LambdaOf(const LabelledScores& scores, double judge_mean) {
  const double n = static_cast<double>(scores.labels.size());
  const double others = static_cast<double>(scores.unlabelled.size());
  if (others == 0) return 0;
  double squares = 0;
  for (const double value : scores.judged) squares += (value - judge_mean) * (value - judge_mean);
  for (const double value : scores.unlabelled) squares += (value - judge_mean) * (value - judge_mean);
  const double variance = squares / (n + others - 1);
  if (variance <= 1e-24) return 0;
  const double label_mean = MeanOf(scores.labels);
  const double judged_mean = MeanOf(scores.judged);
  double product = 0;
  for (std::size_t i = 0; i < scores.labels.size(); ++i)
    product += (scores.labels[i] - label_mean) * (scores.judged[i] - judged_mean);
  return std::clamp(product / n / ((1 + n / others) * variance), 0.0, 1.0);
}

// Differences by rounding alone (`scale`: the largest |score|) are none.
void SetBiasAndAgreement(LabelEstimate& result, const LabelledScores& scores, double scale) {
  Sample bias;
  std::vector<VoteUnit> units;
  for (std::size_t i = 0; i < scores.labels.size(); ++i) {
    double difference = scores.judged[i] - scores.labels[i];
    if (std::abs(difference) <= kNoise * scale) difference = 0;
    bias.Add(std::span(&difference, 1));
    units.push_back(
        {.votes = {scores.judged[i], scores.labels[i]},
         .cluster = scores.clusters.empty() ? static_cast<std::uint32_t>(i) : scores.clusters[i]});
  }
  const MeanEstimate estimate = EstimateMean(bias, {.clusters = scores.clusters});
  result.bias = estimate.mean;
  result.bias_interval = estimate.interval;
  result.alpha = EstimateAgreement(units).alpha;
}

void SetError(LabelEstimate& result, const LabelledScores& scores, std::span<const double> corrected,
              double scale) {
  const ClusteredMean labelled = MeanOver(Unweighted(corrected, scores.clusters), scale);
  ClusteredMean others;
  if (*result.lambda > 0) others = MeanOver(Unweighted(scores.unlabelled, scores.unlabelled_clusters), scale);
  if (!labelled.se || (*result.lambda > 0 && !others.se)) {
    result.why = scores.labels.size() == 1 ? Why::kOneLabel : Why::kOneCluster;
    return;
  }
  const double se = std::hypot(*labelled.se, *result.lambda * others.se.value_or(0));
  result.se = se <= kNoise * scale ? 0 : se;
  if (*result.se == 0) {
    result.why = Why::kNoSpread;
    return;
  }
  result.df = labelled.df;
  const double half = StudentQuantile(0.975, labelled.df) * *result.se;
  result.interval = Interval{*result.estimate - half, *result.estimate + half};
}

}  // namespace

LabelEstimate EstimateFromLabels(const LabelledScores& scores) {
  LabelEstimate result{.labelled = scores.labels.size(), .unlabelled = scores.unlabelled.size()};
  std::vector<double> judged(scores.judged.begin(), scores.judged.end());
  judged.insert(judged.end(), scores.unlabelled.begin(), scores.unlabelled.end());
  if (!judged.empty()) result.judge_mean = MeanOf(judged);
  if (scores.labels.empty()) {
    result.why = Why::kNoLabel;
    return result;
  }
  result.lambda = LambdaOf(scores, *result.judge_mean);
  std::vector<double> corrected;
  for (std::size_t i = 0; i < scores.labels.size(); ++i)
    corrected.push_back(scores.labels[i] - *result.lambda * scores.judged[i]);
  result.estimate = MeanOf(corrected);
  if (*result.lambda > 0) *result.estimate += *result.lambda * MeanOf(scores.unlabelled);
  const double scale = std::max(LargestOf(scores.labels), LargestOf(judged));
  SetError(result, scores, corrected, scale);
  SetBiasAndAgreement(result, scores, scale);
  return result;
}

}  // namespace assay
