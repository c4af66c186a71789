// Five bettors of different boldness, each with the same share of the money, and the search for bounds.
#include "statistics/sequential/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace assay {

namespace {

constexpr double kBoldness[kBettors] = {1.0 / 27, 1.0 / 9, 1.0 / 3, 1, 3};
constexpr double kStakeMax = 0.9;  // of what a bettor could lose
constexpr double kFirstMean = 0.5;
constexpr double kFirstVariance = 1.0 / 16;
constexpr double kNothingLeft = 1e-12;
constexpr double kBisectedTo = 1e-13;

}  // namespace

std::vector<double> StakesOf(double alpha, std::uint64_t planned) {
  std::vector<double> stakes;
  for (const double boldness : kBoldness)
    stakes.push_back(std::sqrt(2 * std::log(1 / alpha) / (boldness * static_cast<double>(planned))));
  return stakes;
}

BettingBounds::BettingBounds(std::span<const double> values, const ScoreRange& range, std::uint64_t planned)
    : range_(range), planned_(planned) {
  scaled_.reserve(values.size());
  calm_.reserve(values.size());
  double sum = kFirstMean;
  double squares = kFirstVariance;
  double count = 1;
  for (const double value : values) {
    const double share = (value - range.low) / (range.high - range.low);
    scaled_.push_back(share);
    calm_.push_back(std::sqrt(count / squares));
    sum += share;
    ++count;
    const double deviation = share - sum / count;
    squares += deviation * deviation;
  }
}

template <class IsEnough>
bool BettingBounds::Bet(double mean, const BoundRule& rule, From from, const IsEnough& is_enough) const {
  std::array<double, kBettors> stakes;
  const std::vector<double> all = StakesOf(rule.alpha, planned_);
  std::copy(all.begin(), all.end(), stakes.begin());
  std::array<double, kBettors> money;
  money.fill(1);
  double left = rule.population ? static_cast<double>(*rule.population) : 1;
  const double population = left;
  const double taken = rule.population ? 1 : 0;
  double sum = 0;
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    const double value = from == From::kLow ? scaled_[i] : 1 - scaled_[i];
    // Of the values that are still to come, if `mean` is the mean of all.
    const double mean_left = (population * mean - sum) / left;
    if (mean_left < -kNothingLeft) return true;
    if (mean_left <= kNothingLeft && value > kNothingLeft) return true;
    if (mean_left > kNothingLeft) {
      const double stake = population / left * calm_[i];
      const double most = kStakeMax / mean_left;
      const double gain = value - mean_left;
      double total = 0;
      for (std::size_t k = 0; k < kBettors; ++k) {
        money[k] *= 1 + std::min(stakes[k] * stake, most) * gain;
        total += money[k];
      }
      if (is_enough(total)) return true;
    }
    left -= taken;
    sum += taken * value;
  }
  return rule.population && population * mean - sum < -kNothingLeft * population;
}

bool BettingBounds::GrowsAbove(double mean, const BoundRule& rule, From from) const {
  const double least = static_cast<double>(kBettors) / rule.alpha;
  return Bet(mean, rule, from, [least](double total) { return total > least; });
}

bool BettingBounds::Reaches(double mean, const BoundRule& rule, From from) const {
  const double least = static_cast<double>(kBettors) / rule.alpha;
  return Bet(mean, rule, from, [least](double total) { return total >= least; });
}

double BettingBounds::MeanOfAll() const { return range_.low + (range_.high - range_.low) * MeanOf(scaled_); }

bool BettingBounds::LiesAbove(double mean, const BoundRule& rule) const {
  if (HasAll(rule)) return MeanOfAll() > mean;
  return GrowsAbove((mean - range_.low) / (range_.high - range_.low), rule, From::kLow);
}

bool BettingBounds::LiesBelow(double mean, const BoundRule& rule) const {
  if (HasAll(rule)) return MeanOfAll() < mean;
  return GrowsAbove((range_.high - mean) / (range_.high - range_.low), rule, From::kHigh);
}

double BettingBounds::LowerShare(const BoundRule& rule, From from) const {
  double low = 0;
  double high = 1;
  if (!Reaches(low, rule, from)) return low;
  while (high - low > kBisectedTo) {
    const double middle = low + (high - low) / 2;
    (Reaches(middle, rule, from) ? low : high) = middle;
  }
  return low;
}

double BettingBounds::Lower(const BoundRule& rule) const {
  if (HasAll(rule)) return MeanOfAll();
  return range_.low + (range_.high - range_.low) * LowerShare(rule, From::kLow);
}

double BettingBounds::Upper(const BoundRule& rule) const {
  if (HasAll(rule)) return MeanOfAll();
  return range_.low + (range_.high - range_.low) * (1 - LowerShare(rule, From::kHigh));
}

}  // namespace assay
