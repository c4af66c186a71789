// Compares votes with labels, unit by unit.
#include "statistics/agreement/label_agreement.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay {

namespace {

constexpr double kLimits[] = {0.25, 0.75};
constexpr double kOnTheEdge = 1e-9;

double Difference(const LabelledVote& vote) {
  const double difference = vote.judge - vote.label;
  return std::abs(difference) <= kNoise ? 0 : difference;
}

}  // namespace

std::size_t LabelBandOf(double score) {
  std::size_t band = 0;
  for (const double limit : kLimits)
    if (score >= limit - kOnTheEdge) ++band;
  return band;
}

LabelAgreement AgreementWithLabels(std::span<const LabelledVote> votes) {
  LabelAgreement result{.labels = votes.size()};
  if (votes.empty()) return result;
  Sample differences;
  std::vector<std::uint32_t> clusters;
  std::vector<VoteUnit> units;
  double distance = 0;
  std::uint64_t same = 0;
  for (const LabelledVote& vote : votes) {
    const double difference = Difference(vote);
    differences.Add(std::span(&difference, 1));
    clusters.push_back(vote.cluster);
    units.push_back({.votes = {vote.judge, vote.label}, .cluster = vote.cluster});
    distance += std::abs(difference);
    const std::size_t row = LabelBandOf(vote.label);
    const std::size_t column = LabelBandOf(vote.judge);
    ++result.confusion[row][column];
    same += row == column ? 1 : 0;
  }
  const auto count = static_cast<double>(votes.size());
  result.same = static_cast<double>(same) / count;
  result.distance = distance / count;
  const MeanEstimate bias = EstimateMean(differences, {.clusters = clusters});
  result.bias = bias.mean;
  result.bias_interval = bias.interval;
  result.alpha = EstimateAgreement(units);
  return result;
}

std::optional<NearestJudge> NearestToLabels(std::span<const std::vector<LabelledVote>> judges) {
  if (judges.size() < 2) return std::nullopt;
  std::map<std::uint32_t, std::vector<const LabelledVote*>> by_unit;
  for (const std::vector<LabelledVote>& votes : judges) {
    for (const LabelledVote& vote : votes) by_unit[vote.unit].push_back(&vote);
  }
  std::erase_if(by_unit, [&judges](const auto& unit) { return unit.second.size() < judges.size(); });
  if (by_unit.empty()) return std::nullopt;
  std::vector<double> distances(judges.size(), 0);
  for (const auto& [unit, votes] : by_unit) {
    for (std::size_t j = 0; j < votes.size(); ++j)
      distances[j] += std::abs(Difference(*votes[j])) / static_cast<double>(by_unit.size());
  }
  NearestJudge result{.labels = by_unit.size()};
  const auto nearest = std::min_element(distances.begin(), distances.end());
  result.judge = static_cast<std::size_t>(nearest - distances.begin());
  result.next = result.judge == 0 ? 1 : 0;
  for (std::size_t j = 0; j < distances.size(); ++j)
    if (j != result.judge && distances[j] < distances[result.next]) result.next = j;
  result.distance = distances[result.judge];
  result.next_distance = distances[result.next];
  Sample nearer;
  std::vector<std::uint32_t> clusters;
  for (const auto& [unit, votes] : by_unit) {
    const double by = std::abs(Difference(*votes[result.next])) - std::abs(Difference(*votes[result.judge]));
    nearer.Add(std::span(&by, 1));
    clusters.push_back(votes.front()->cluster);
  }
  const MeanEstimate estimate = EstimateMean(nearer, {.clusters = clusters});
  result.is_shown = estimate.interval && estimate.interval->low > 0;
  return result;
}

}  // namespace assay
