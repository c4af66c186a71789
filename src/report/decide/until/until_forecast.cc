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
  const std::size_t others = asked->kind == BoundQuestion::Kind::kRace ? variants - 1 : 1;
  const double range = rule.table.range().high - rule.table.range().low;
  const double all = static_cast<double>(rule.table.units() * variants);
  for (const double gap : kGaps) {
    const ForecastQuestion question{.units = rule.table.units(),
                                    .spread = spread / range,
                                    .gap = gap / range,
                                    .promise = rule.promise,
                                    .share = others};
    const std::vector<double> gaps(others, question.gap);
    const RaceForecasts race = ForecastRace(question, gaps, rule.places);
    const Forecast pair{.median = race.median.end, .most = race.most.end};
    forecasts.push_back({.gap = gap,
                         .median = pair.median,
                         .most = pair.most,
                         .share_median = static_cast<double>(race.median.asked) / all,
                         .share_most = static_cast<double>(race.most.asked) / all,
                         .sentence = ForecastSentence(gap, pair, rule.table.units(), rule.table.cases())});
  }
  return forecasts;
}

}  // namespace assay
