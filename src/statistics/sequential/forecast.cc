// The bets' width in the limit of many values, and the first look at which a gap is wider.
#include "statistics/sequential/forecast.h"

#include <algorithm>
#include <cmath>

#include "statistics/estimates/special.h"
#include "statistics/sequential/bounds.h"

namespace assay {

namespace {

constexpr double kNormal90 = 1.2815515655446004;
constexpr std::uint64_t kUnitsForTieForecast = 20;
// Bets are capped at 0.9 of what they could lose. A gain g of spread s then grows by 0.9 g - 0.405 (s² + g²).
constexpr double kCap = 0.9;
constexpr double kCapLoss = kCap * kCap / 2;
constexpr double kBisectedTo13 = 1e-13;

double InformationOf(Promise promise, double units, double n, bool is_tie) {
  return promise == Promise::kSuite || is_tie ? units * n / (units - n) : n;
}

class PairForecast {
 public:
  explicit PairForecast(const ForecastQuestion& question)
      : question_(question), units_(static_cast<double>(question.units)), is_tie_(question.gap == 0) {
    const double alpha = is_tie_ ? 0.02 : question.promise == Promise::kSuite ? 0.025 : 0.01;
    alpha_ = alpha / static_cast<double>(question.share);
    if (is_tie_) {
      const double t = StudentQuantile(0.975, units_ - 1);
      gap_ = t * question.spread / std::sqrt(units_ - 1 + t * t);
    } else {
      gap_ = question.gap;
    }
  }

  // `shortfall`: by how many standard errors the mean lies nearer to the step than is expected.
  bool IsDecided(std::uint64_t at, double shortfall) const {
    const double n = static_cast<double>(at);
    const double spread = question_.spread;
    const double square = spread * spread;
    const double gap = gap_ - shortfall * spread * std::sqrt(is_tie_ ? 1 / n - 1 / units_ : 1 / n);
    const double seen = std::sqrt((0.25 + n * square) / (n + 1));
    const double width =
        BoundWidth(InformationOf(question_.promise, units_, n, is_tie_), alpha_, question_.units);
    if (gap < width * (seen + square / seen) / 2) return false;
    const double squares = square + gap * gap;
    return gap <= kCap * squares || n * (kCap * gap - kCapLoss * squares) >= std::log(1 / alpha_);
  }

 private:
  const ForecastQuestion& question_;
  double units_ = 0;
  bool is_tie_ = false;
  double alpha_ = 0;
  double gap_ = 0;  // or the distance that a tie has to keep
};

RaceForecast TogetherOf(std::vector<std::uint64_t> each, std::uint64_t units) {
  RaceForecast race{.each = std::move(each)};
  race.end = race.each.empty() ? units : *std::max_element(race.each.begin(), race.each.end());
  race.asked = race.end;
  for (const std::uint64_t n : race.each) race.asked += n;
  return race;
}

}  // namespace

double BoundWidth(double information, double alpha, std::uint64_t planned) {
  const std::vector<double> stakes = StakesOf(alpha, planned);
  const auto is_wide = [&](double x) {
    double money = 0;
    for (const double stake : stakes) money += std::exp((stake * x - stake * stake / 2) * information);
    return money / static_cast<double>(stakes.size()) >= 1 / alpha;
  };
  double high = 1;
  while (!is_wide(high)) high *= 2;
  double low = 0;
  while (high - low > kBisectedTo13 * high) {
    const double middle = low + (high - low) / 2;
    (is_wide(middle) ? high : low) = middle;
  }
  return high;
}

Forecast ForecastPair(const ForecastQuestion& question, std::span<const std::uint64_t> places) {
  Forecast forecast{.median = question.units, .most = question.units};
  const bool can_tie = question.promise == Promise::kWorld && question.units >= kUnitsForTieForecast;
  if (question.spread == 0 || (question.gap == 0 && !can_tie)) return forecast;
  const PairForecast pair(question);
  const auto first = [&](double shortfall) {
    const auto found = std::find_if(places.begin(), places.end(),
                                    [&](std::uint64_t n) { return pair.IsDecided(n, shortfall); });
    return found == places.end() ? question.units : *found;
  };
  forecast.median = first(0);
  forecast.most = first(kNormal90);
  return forecast;
}

RaceForecasts ForecastRace(ForecastQuestion question, std::span<const double> gaps,
                           std::span<const std::uint64_t> places) {
  question.share = std::max<std::size_t>(gaps.size(), 1);
  std::vector<std::uint64_t> median;
  std::vector<std::uint64_t> most;
  for (const double gap : gaps) {
    question.gap = gap;
    const Forecast forecast = ForecastPair(question, places);
    median.push_back(forecast.median);
    most.push_back(forecast.most);
  }
  return {.median = TogetherOf(std::move(median), question.units),
          .most = TogetherOf(std::move(most), question.units)};
}

}  // namespace assay
