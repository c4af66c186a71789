// Collects one value per case, and computes weighted means over clusters of cases.
#include "statistics/sample.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

namespace assay {

namespace {

struct WhyRow {
  std::string_view code;
  std::string_view text;
};
constexpr WhyRow kWhys[] = {
    {"", ""},
    {"no_case", "no case has a score"},
    {"no_pair", "no case has a score for both"},
    {"one_case", "only one case"},
    {"one_cluster", "all cases share one cluster"},
    {"no_spread", "nothing varies, so the data say nothing about chance"},
    {"one_attempt", "one attempt each: chance and the choice of cases cannot be separated"},
    {"no_pairs", "no criterion has two votes"},
    {"no_variation", "all votes are the same"},
    {"degenerate", "hangs on a single case"},
    {"no_label", "no response has a label"},
    {"one_label", "only one response has a label"},
    {"few_labels", "too few labels that were drawn"},
    {"not_like_the_rest", "the labels are of responses unlike the rest"},
};

}  // namespace

std::string_view WhyCode(Why why) { return kWhys[static_cast<std::size_t>(why)].code; }
std::string_view WhyText(Why why) { return kWhys[static_cast<std::size_t>(why)].text; }

double MeanOf(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void Sample::Add(std::span<const double> scores) {
  CaseValue& added = cases.emplace_back();
  double sum = 0;
  for (const double score : scores) {
    if (!std::isfinite(score)) {
      Leave(LeftOut::kError);
      continue;
    }
    sum += score;
    ++added.scored;
    added.is_binary = added.is_binary && (score == 0 || score == 1);
  }
  if (added.scored > 0) added.value = sum / added.scored;
}

void Weighted::Resize(std::size_t cases) {
  values.resize(cases);
  weights.resize(cases);
  clusters.resize(cases);
}

void Weighted::NumberClusters() {
  has_equal_weights = AreAllEqual(weights, LargestOf(weights));
  // Most often each case is its own, in order.
  if (std::adjacent_find(clusters.begin(), clusters.end(), std::greater_equal<>()) == clusters.end()) {
    std::iota(clusters.begin(), clusters.end(), 0u);
    cluster_count = static_cast<std::uint32_t>(clusters.size());
    return;
  }
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;
  numbers.reserve(clusters.size());
  for (std::uint32_t& cluster : clusters) {
    cluster = numbers.emplace(cluster, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  cluster_count = static_cast<std::uint32_t>(numbers.size());
}

std::vector<double> Weighted::ClusterWeights() const {
  std::vector<double> sums(cluster_count, 0.0);
  for (std::size_t i = 0; i < size(); ++i) sums[clusters[i]] += weights[i];
  return sums;
}

Weighted UsedValues(const Sample& sample, const Design& design) {
  Weighted weighted;
  weighted.Resize(sample.cases.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    if (!design.IsUsed(sample.cases[i], i)) continue;
    weighted.values[count] = sample.cases[i].value;
    weighted.weights[count] = design.WeightOf(i);
    weighted.clusters[count] = design.ClusterOf(i);
    ++count;
  }
  weighted.Resize(count);
  weighted.NumberClusters();
  return weighted;
}

namespace {

// Squares of the clusters' weighted deviations from `mean`.
double SquaresAround(const Weighted& weighted, double mean) {
  double squares = 0;
  if (weighted.has_own_clusters()) {
    for (std::size_t i = 0; i < weighted.size(); ++i) {
      const double deviation = weighted.weights[i] * (weighted.values[i] - mean);
      squares += deviation * deviation;
    }
    return squares;
  }
  std::vector<double> deviations(weighted.cluster_count, 0.0);
  for (std::size_t i = 0; i < weighted.size(); ++i)
    deviations[weighted.clusters[i]] += weighted.weights[i] * (weighted.values[i] - mean);
  for (const double deviation : deviations) squares += deviation * deviation;
  return squares;
}

}  // namespace

ClusteredMean MeanOver(const Weighted& weighted, double scale) {
  double sum = 0;
  double weight_sum = 0;
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    sum += weighted.weights[i] * weighted.values[i];
    weight_sum += weighted.weights[i];
  }
  ClusteredMean result{.mean = sum / weight_sum};
  if (weighted.cluster_count < 2) return result;
  const double squares = SquaresAround(weighted, result.mean);
  const double count = weighted.cluster_count;
  const double se = std::sqrt(count / (count - 1) * squares) / weight_sum;
  result.se = se <= kNoise * scale ? 0 : se;
  result.df = weighted.cluster_count - 1;
  return result;
}

double LargestOf(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

bool AreAllEqual(std::span<const double> values, double scale) {
  if (values.empty()) return true;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least <= kNoise * scale;
}

}  // namespace assay
