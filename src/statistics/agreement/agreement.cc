// Krippendorff (2004) with the interval metric; jackknife over clusters (Hughes 2022).
#include "statistics/agreement/agreement.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "statistics/estimates/special.h"

namespace assay {

namespace {

// Sums of each cluster, in order of first appearance.
std::vector<AgreementSums> SumsByCluster(std::span<const VoteUnit> units, double center) {
  std::vector<AgreementSums> sums;
  std::unordered_map<std::uint32_t, std::size_t> numbers;
  for (const VoteUnit& unit : units) {
    if (unit.votes.size() < 2) continue;
    const auto [place, is_new] = numbers.emplace(unit.cluster, sums.size());
    if (is_new) sums.emplace_back();
    sums[place->second] += SumsOf(unit, center);
  }
  return sums;
}

double PairsOf(std::size_t count) {
  return static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
}

double EqualPairsOf(std::vector<double> votes) {
  std::sort(votes.begin(), votes.end());
  double pairs = 0;
  for (auto first = votes.begin(); first != votes.end();) {
    const auto last = std::upper_bound(first, votes.end(), *first);
    pairs += PairsOf(static_cast<std::size_t>(last - first));
    first = last;
  }
  return pairs;
}

struct Counted {
  double sum = 0;
  double squares = 0;
  double equal = 0;
  double pairs = 0;
};

Counted CountVotes(std::span<const VoteUnit> units, AgreementEstimate& estimate) {
  Counted counted;
  for (const VoteUnit& unit : units) {
    if (unit.votes.size() < 2) {
      ++estimate.units_left_out;
      continue;
    }
    ++estimate.units;
    estimate.votes += unit.votes.size();
    for (const double vote : unit.votes) {
      counted.sum += vote;
      counted.squares += vote * vote;
    }
    counted.equal += EqualPairsOf(unit.votes);
    counted.pairs += PairsOf(unit.votes.size());
  }
  return counted;
}

// Sets the jackknife error and the interval, or why there is none.
void SetJackknife(AgreementEstimate& estimate, const AgreementSums& total,
                  std::span<const AgreementSums> clusters, double noise) {
  if (clusters.size() < 2) {
    estimate.why = Why::kOneCluster;
    return;
  }
  std::vector<double> without;
  for (const AgreementSums& cluster : clusters) {
    AgreementSums rest = total;
    rest -= cluster;
    const std::optional<double> alpha = rest.Alpha(noise);
    if (!alpha) {
      estimate.why = Why::kDegenerate;
      return;
    }
    without.push_back(*alpha);
  }
  const double count = static_cast<double>(without.size());
  double mean = 0;
  for (const double alpha : without) mean += alpha / count;
  double squares = 0;
  for (const double alpha : without) squares += (alpha - mean) * (alpha - mean);
  const double se = std::sqrt((count - 1) / count * squares);
  estimate.se = se <= kNoise ? 0 : se;
  if (*estimate.se == 0) {
    estimate.why = Why::kNoSpread;
    return;
  }
  const double half = StudentQuantile(0.975, count - 1) * *estimate.se;
  estimate.interval = Interval{*estimate.alpha - half, std::min(1.0, *estimate.alpha + half)};
}

}  // namespace

AgreementSums& AgreementSums::operator+=(const AgreementSums& other) {
  votes += other.votes;
  sum += other.sum;
  squares += other.squares;
  within += other.within;
  return *this;
}

AgreementSums& AgreementSums::operator-=(const AgreementSums& other) {
  votes -= other.votes;
  sum -= other.sum;
  squares -= other.squares;
  within -= other.within;
  return *this;
}

std::optional<double> AgreementSums::Alpha(double noise) const {
  if (votes < 2) return std::nullopt;
  const double deviations = squares - sum * sum / votes;
  if (deviations <= noise) return std::nullopt;
  return 1 - (votes - 1) * within / (votes * deviations);
}

AgreementSums SumsOf(const VoteUnit& unit, double center) {
  AgreementSums sums;
  const double count = static_cast<double>(unit.votes.size());
  double mean = 0;
  for (const double vote : unit.votes) mean += vote / count;
  double deviations = 0;
  for (const double vote : unit.votes) {
    sums.sum += vote - center;
    sums.squares += (vote - center) * (vote - center);
    deviations += (vote - mean) * (vote - mean);
  }
  sums.votes = count;
  sums.within = count * deviations / (count - 1);
  return sums;
}

AgreementEstimate EstimateAgreement(std::span<const VoteUnit> units) {
  AgreementEstimate estimate;
  const Counted counted = CountVotes(units, estimate);
  if (estimate.units == 0) {
    estimate.why = Why::kNoPairs;
    return estimate;
  }
  const double center = counted.sum / static_cast<double>(estimate.votes);
  const double noise = kNoise * counted.squares;
  const std::vector<AgreementSums> clusters = SumsByCluster(units, center);
  AgreementSums total;
  for (const AgreementSums& cluster : clusters) total += cluster;
  estimate.clusters = static_cast<std::uint32_t>(clusters.size());
  estimate.equal_pairs = counted.equal / counted.pairs;
  estimate.alpha = total.Alpha(noise);
  if (!estimate.alpha) {
    estimate.why = Why::kNoVariation;
    return estimate;
  }
  SetJackknife(estimate, total, clusters, noise);
  return estimate;
}

}  // namespace assay
