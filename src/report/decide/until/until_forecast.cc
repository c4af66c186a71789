// Forecasts pairs and races at typical gaps.
#include "report/decide/until/until_forecast.h"

#include <algorithm>

#include "statistics/sequential/stop_sentences.h"

namespace assay {

namespace {

constexpr double kGaps[] = {0.02, 0.05, 0.10, 0.20};

}  // namespace

std::vector<UntilForecast> ForecastsOf(const StopRule& rule, double spread) {
  std::vector<UntilForecast> forecasts;
  const auto asked = std::find_if(
      rule.questions.begin(), rule.questions.end(),
      [](const BoundQuestion& question) { return question.kind != BoundQuestion::Kind::kLevel; });
  if (asked == rule.questions.end()) return forecasts;
  const std::size_t variants = rule.names.size();
  const bool is_gate = asked->kind == BoundQuestion::Kind::kGate;
  const std::size_t others = asked->kind == BoundQuestion::Kind::kRace ? variants - 1 : 1;
  const double range = rule.table.range().high - rule.table.range().low;
  const double all = static_cast<double>(rule.table.units() * variants);
  for (const double gap : kGaps) {
    const ForecastQuestion question{.units = rule.table.units(),
                                    .spread = spread / range,
                                    .gap = gap / range,
                                    .promise = is_gate ? Promise::kWorld : rule.promise,
                                    .share = is_gate ? asked->pair.share : others};
    const std::vector<double> gaps(others, question.gap);
    const RaceForecasts race = ForecastRace(question, gaps, rule.places);
    const Forecast pair = is_gate ? ForecastPair(question, rule.places)
                                  : Forecast{.median = race.median.end, .most = race.most.end};
    // Of a gate the base is asked nothing.
    const std::uint64_t median = is_gate ? pair.median * variants : race.median.asked;
    const std::uint64_t most = is_gate ? pair.most * variants : race.most.asked;
    forecasts.push_back({.gap = gap,
                         .median = pair.median,
                         .most = pair.most,
                         .share_median = static_cast<double>(median) / all,
                         .share_most = static_cast<double>(most) / all,
                         .sentence = ForecastSentence(gap, pair, rule.table.units(), rule.table.cases())});
  }
  return forecasts;
}

}  // namespace assay
