// Takes what the last look saw for what is true, and forecasts the looks that are left.
#include "report/decide/until/race_progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/decide/planning/suite_power.h"
#include "statistics/sequential/forecast.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

namespace {

using Kind = BoundQuestion::Kind;

constexpr std::size_t kPlacesMax = 50;  // that are tried: more would not make "about" any truer

// Looks that are left; of many, some of them.
std::vector<std::uint64_t> PlacesLeft(const std::vector<std::uint64_t>& all, std::uint64_t seen) {
  const auto first = std::upper_bound(all.begin(), all.end(), seen);
  const auto left = static_cast<std::size_t>(all.end() - first);
  const std::size_t step = (left + kPlacesMax - 1) / kPlacesMax;
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < left; i += step) places.push_back(first[static_cast<std::ptrdiff_t>(i)]);
  return places;
}

// Of the first units: few of them may all be equal by luck, so the usual spread counts like one of them.
double SpreadOf(const std::vector<double>& values, double mean, double range) {
  double squares = kSpreadAssumed * kSpreadAssumed * range * range;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() + 1));
}

class RestForecast {
 public:
  RestForecast(const StopCourse& course, const StopScores& scores)
      : rule_(course.rule()),
        samples_(scores.samples()),
        range_(rule_.table.range().high - rule_.table.range().low) {}

  // In units.
  std::uint64_t Of(const QuestionCourse& course) const {
    const BoundQuestion& question = *course.question;
    if (question.kind == Kind::kLevel) return OfLevel(course);
    if (question.kind == Kind::kPair || question.kind == Kind::kGate) {
      return OfPair(question, samples_[question.a].cases, SecondOf(question, samples_),
                    course.pair.looks.back(), question.pair);
    }
    std::uint64_t end = 0;
    const RaceLook& look = course.race->looks().back();
    for (const RacePair& pair : look.pairs) {
      if (!IsDecided(pair.look.state) && course.race->IsInRace(pair.against))
        end = std::max(end, OfPair(question, samples_[look.leader].cases, samples_[pair.against].cases,
                                   pair.look, course.race->pair_question()));
    }
    return end;
  }

 private:
  std::uint64_t First(const BoundQuestion& of, ForecastQuestion question, std::uint64_t seen) const {
    question.units = rule_.TableOf(of).units();
    if (question.gap <= 0) return question.units;
    return ForecastPair(question, PlacesLeft(rule_.PlacesOf(of), seen)).median;
  }

  std::uint64_t OfPair(const BoundQuestion& of, std::span<const CaseValue> a, std::span<const CaseValue> b,
                       const PairLook& look, const PairQuestion& question) const {
    const UnitTable& table = rule_.TableOf(of);
    if (look.state == PairState::kHeld) return table.units();
    const UnitValues values = DifferencesOf(table, a, b, question.margin, look.n);
    ForecastQuestion forecast{.spread = SpreadOf(values.values, look.mean, range_) / range_,
                              .gap = std::abs(look.mean) / range_,
                              .promise = question.promise,
                              .share = question.share};
    const std::uint64_t end = First(of, forecast, look.n);
    if (!question.within) return end;
    forecast.gap = (*question.within - std::abs(look.mean)) / range_;
    return std::min(end, First(of, forecast, look.n));
  }

  // The bounds are those of differences from a range half as wide.
  std::uint64_t OfLevel(const QuestionCourse& course) const {
    const std::uint64_t n = course.level.looks.back().n;
    const UnitValues levels = LevelsOf(rule_.table, samples_[course.question->a].cases, 0, n);
    double mean = 0;
    for (const double value : levels.values) mean += value / static_cast<double>(levels.values.size());
    return First(*course.question,
                 {.spread = 2 * SpreadOf(levels.values, mean, 1),
                  .gap = 2 * course.question->half / range_,
                  .promise = Promise::kSuite},
                 n);
  }

  const StopRule& rule_;
  std::span<const Sample> samples_;
  double range_ = 0;
};

std::uint64_t LooksOf(const StopCourse& course) {
  std::uint64_t looks = 0;
  for (const QuestionCourse& question : course.questions()) looks += question.looks();
  return looks;
}

// "4 of 10 in the race, "; "": all are asked, and there is no race.
std::string WhoText(const StopCourse& course) {
  const std::size_t all = course.rule().names.size();
  std::size_t asked = 0;
  for (VariantIndex v = 0; v < all; ++v) asked += course.IsAsked(v) ? 1 : 0;
  const bool is_race = std::any_of(course.questions().begin(), course.questions().end(),
                                   [](const QuestionCourse& each) { return each.race.has_value(); });
  if (!is_race && asked == all) return {};
  return fmt::format("{} of {} {}, ", std::max<std::size_t>(asked, 1), all,
                     is_race ? "in the race" : "asked");
}

}  // namespace

std::optional<std::uint64_t> ForecastOfRest(const StopCourse& course, const StopScores& scores) {
  const RestForecast forecast(course, scores);
  std::optional<std::uint64_t> end;
  for (const QuestionCourse& question : course.questions()) {
    if (question.is_closed) continue;
    // When a gate becomes certain depends on the very cases that are left.
    if (question.question->IsCertain() || question.looks() == 0) return std::nullopt;
    end = std::max(end.value_or(0), forecast.Of(question));
  }
  return end;
}

std::string RaceProgress::Text(const StopCourse& course, const StopScores& scores, std::uint64_t cases) {
  if (const std::uint64_t looks = LooksOf(course); looks != looks_) {
    looks_ = looks;
    end_ = ForecastOfRest(course, scores);
  }
  const UnitTable& table = course.rule().table;
  std::string text = fmt::format("{}{} of {}", WhoText(course), Grouped(std::min(cases, table.cases())),
                                 GroupedCases(table.cases()));
  if (!end_ || course.is_closed()) return text;
  if (*end_ >= table.units()) return text + "; it may take all of them";
  return text + fmt::format("; decided after about {}", Grouped(table.CasesBefore(*end_)));
}

}  // namespace assay
