// Resamples clusters and computes BCa intervals.
#include "statistics/estimates/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "statistics/estimates/special.h"

namespace assay {

namespace {

constexpr double kLow = 0.025;
constexpr double kHigh = 0.975;

std::uint64_t Mix(std::uint64_t z) {
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9U;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// Type 7: linear between the order statistics around (count - 1) q.
double QuantileOf(std::span<const double> sorted, double q) {
  const double place = static_cast<double>(sorted.size() - 1) * q;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// A share of clusters: sums whose ratio is the mean.
struct Share {
  double values = 0;
  double weights = 0;
};

std::vector<Share> SharesOf(const Weighted& weighted) {
  std::vector<Share> shares(weighted.cluster_count);
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    shares[weighted.clusters[i]].values += weighted.weights[i] * weighted.values[i];
    shares[weighted.clusters[i]].weights += weighted.weights[i];
  }
  return shares;
}

std::vector<double> ResampledMeans(std::span<const Share> shares, std::uint64_t seed) {
  const CounterRandom draws("mean", seed);
  const auto count = static_cast<std::uint32_t>(shares.size());
  std::vector<double> means;
  means.reserve(kResamples);
  std::uint64_t counter = 0;
  for (std::size_t b = 0; b < kResamples; ++b) {
    Share drawn;
    for (std::uint32_t j = 0; j < count; ++j) {
      const Share& share = shares[draws.Below(count, counter++)];
      drawn.values += share.values;
      drawn.weights += share.weights;
    }
    means.push_back(drawn.values / drawn.weights);
  }
  std::sort(means.begin(), means.end());
  return means;
}

std::optional<Interval> BcaOf(std::span<const double> sorted, std::span<const Share> shares, double mean,
                              double noise) {
  double below = 0;
  for (const double value : sorted) below += std::abs(value - mean) <= noise ? 0.5 : value < mean ? 1 : 0;
  const double share_below = below / static_cast<double>(sorted.size());
  if (share_below <= 0 || share_below >= 1) return std::nullopt;
  Share total;
  for (const Share& share : shares) {
    total.values += share.values;
    total.weights += share.weights;
  }
  std::vector<double> without;
  double center = 0;
  for (const Share& share : shares) {
    without.push_back((total.values - share.values) / (total.weights - share.weights));
    center += without.back() / static_cast<double>(shares.size());
  }
  double squares = 0;
  double cubes = 0;
  for (const double value : without) {
    const double u = center - value;
    squares += u * u;
    cubes += u * u * u;
  }
  if (squares == 0) return std::nullopt;
  const double bias = NormalQuantile(share_below);
  const double acceleration = cubes / (6 * std::pow(squares, 1.5));
  const auto at = [&](double z) {
    return QuantileOf(sorted, NormalBelow(bias + (bias + z) / (1 - acceleration * (bias + z))));
  };
  return Interval{at(-kNormal975), at(kNormal975)};
}

}  // namespace

std::uint64_t RandomKeyOf(std::string_view label, std::string_view seed) {
  std::string text = "assay/statistics/1/";
  text.append(label).append("/").append(seed);
  const Digest digest = Sha256Of(text);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) key = key << 8 | digest[i];
  return key;
}

CounterRandom::CounterRandom(std::string_view label, std::uint64_t seed)
    : key_(RandomKeyOf(label, std::to_string(seed))) {}

std::uint64_t CounterRandom::At(std::uint64_t counter) const {
  return Mix(key_ + (counter + 1) * 0x9E3779B97F4A7C15U);
}

std::uint32_t CounterRandom::Below(std::uint32_t count, std::uint64_t counter) const {
  const std::uint64_t u = At(counter);
  const std::uint64_t low = (u & 0xFFFFFFFFU) * count;
  return static_cast<std::uint32_t>(((u >> 32) * count + (low >> 32)) >> 32);
}

BootstrapMean BootstrapOfMean(const Sample& sample, const Design& design, std::uint64_t seed) {
  const Weighted weighted = UsedValues(sample, design);
  BootstrapMean result{.cases = weighted.size(), .clusters = weighted.cluster_count};
  if (weighted.size() == 0) {
    result.why = Why::kNoCase;
    return result;
  }
  const double scale = LargestOf(weighted.values);
  const double noise = kNoise * scale;
  result.mean = MeanOver(weighted, scale).mean;
  if (weighted.cluster_count < 2) {
    result.why = weighted.size() == 1 ? Why::kOneCase : Why::kOneCluster;
    return result;
  }
  const std::vector<Share> shares = SharesOf(weighted);
  const std::vector<double> means = ResampledMeans(shares, seed);
  if (means.back() - means.front() <= noise) {
    result.why = Why::kNoSpread;
    return result;
  }
  result.percentile = Interval{QuantileOf(means, kLow), QuantileOf(means, kHigh)};
  result.bca = BcaOf(means, shares, *result.mean, noise);
  return result;
}

BootstrapAgreement BootstrapOfAgreement(std::span<const VoteUnit> units, std::uint64_t seed) {
  const AgreementEstimate estimate = EstimateAgreement(units);
  BootstrapAgreement result{.alpha = estimate.alpha, .why = estimate.why};
  if (!estimate.alpha || estimate.clusters < 2) return result;
  result.why = Why::kNone;
  double votes = 0;
  double sum = 0;
  double squares = 0;
  for (const VoteUnit& unit : units) {
    if (unit.votes.size() < 2) continue;
    for (const double vote : unit.votes) {
      ++votes;
      sum += vote;
      squares += vote * vote;
    }
  }
  std::vector<AgreementSums> clusters;
  std::unordered_map<std::uint32_t, std::size_t> numbers;
  double around = 0;
  for (const VoteUnit& unit : units) {
    if (unit.votes.size() < 2) continue;
    const auto [place, is_new] = numbers.emplace(unit.cluster, clusters.size());
    if (is_new) clusters.emplace_back();
    const AgreementSums sums = SumsOf(unit, sum / votes);
    clusters[place->second] += sums;
    around += sums.squares;
  }
  const CounterRandom draws("alpha", seed);
  const auto count = static_cast<std::uint32_t>(clusters.size());
  std::vector<double> alphas;
  std::uint64_t counter = 0;
  for (std::size_t b = 0; b < kResamples; ++b) {
    AgreementSums drawn;
    for (std::uint32_t j = 0; j < count; ++j) drawn += clusters[draws.Below(count, counter++)];
    if (const std::optional<double> alpha = drawn.Alpha(kNoise * around)) alphas.push_back(*alpha);
  }
  result.resamples = alphas.size();
  if (static_cast<double>(alphas.size()) < 0.95 * kResamples) {
    result.why = Why::kDegenerate;
    return result;
  }
  std::sort(alphas.begin(), alphas.end());
  result.interval = Interval{QuantileOf(alphas, kLow), QuantileOf(alphas, kHigh)};
  return result;
}

}  // namespace assay
