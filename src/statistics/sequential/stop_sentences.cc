// Words what was decided, on how many cases, and what a plan expects.
#include "statistics/sequential/stop_sentences.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "statistics/decisions/sentence_parts.h"
#include "statistics/sequential/gate.h"

namespace assay {

std::string Grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string GroupedCases(std::uint64_t cases) { return Grouped(cases) + (cases == 1 ? " case" : " cases"); }

namespace {

constexpr std::size_t kNamesMax = 4;
constexpr std::size_t kNamesShown = 3;
constexpr double kPointMin = 0.001;  // the smallest limit with one decimal that is not 0

// "5 points", "2.5 points"; one decimal only if it is not whole.
std::string StepPoints(double score) {
  std::string text = ScorePoints(score);
  return text + (text == "1" ? " point" : " points");
}

// "A", "A and B", "A, B and C", "A, B, C and 2 others"
std::string NamesText(std::span<const std::string> names, std::span<const std::size_t> variants) {
  const bool is_cut = variants.size() > kNamesMax;
  const std::size_t shown = is_cut ? kNamesShown : variants.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == variants.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + names[variants[i]];
  }
  return is_cut ? fmt::format("{} and {} others", text, variants.size() - shown) : text;
}

// "the whole suite of 1,000 cases in 200 clusters"
std::string SuiteText(const UnitTable& table, bool is_chosen) {
  const std::string suite = is_chosen ? fmt::format("all {} chosen {}", Grouped(table.cases()),
                                                    table.cases() == 1 ? "case" : "cases")
                                      : "the whole suite of " + GroupedCases(table.cases());
  if (table.units() == table.cases()) return suite;
  return fmt::format("{} in {} {}", suite, Grouped(table.units()),
                     table.units() == 1 ? "cluster" : "clusters");
}

// " (Cedar after 40, Elm given up after 60)": those that were dropped before the end.
std::string DroppedText(std::span<const std::string> names, const Race& race) {
  std::vector<DroppedVariant> before;
  for (const DroppedVariant& dropped : race.dropped()) {
    if (dropped.after < race.n()) before.push_back(dropped);
  }
  if (before.empty()) return "";
  const bool is_cut = before.size() > kNamesMax;
  const std::size_t shown = is_cut ? kNamesShown : before.size();
  std::string text;
  for (const DroppedVariant& dropped : std::span(before).first(shown)) {
    text += fmt::format("{}{}{} after {}", text.empty() ? "" : ", ", names[dropped.variant],
                        dropped.by ? "" : " given up", Grouped(race.table().CasesBefore(dropped.after)));
  }
  if (is_cut) text += fmt::format(", {} others before", before.size() - shown);
  return fmt::format(" ({})", text);
}

// "310 of 1,000 cases were asked (Cedar after 40)."
std::string AskedText(const UnitTable& table, std::uint64_t units, const std::string& dropped = "") {
  return fmt::format("{} of {} were asked{}.", Grouped(table.CasesBefore(units)), GroupedCases(table.cases()),
                     dropped);
}

std::string AllAskedText(const UnitTable& table, const std::string& dropped = "") {
  return fmt::format("All {} {} asked{}.", GroupedCases(table.cases()), table.cases() == 1 ? "was" : "were",
                     dropped);
}

constexpr std::string_view kCertain = "with 95 % certainty";

// By how much the first one is ahead of the last that was dropped.
std::string AheadText(std::span<const std::string> names, const Race& race, const PairBounds& bounds) {
  const std::optional<std::size_t> against = DroppedLast(race);
  if (!against) return "";
  const std::string suite = LimitsText(bounds.suite);
  const std::string world = LimitsText(bounds.world);
  const std::string ahead = fmt::format(" It is ahead of {} by ", names[*against]);
  if (race.question().promise == Promise::kWorld)
    return fmt::format("{}{} points on cases of this kind, by {} on the whole suite.", ahead, world, suite);
  if (bounds.world.low > 0)
    return fmt::format("{}{} points there, and by {} points on other cases of this kind.", ahead, suite,
                       world);
  return fmt::format("{}{} points there; on other cases of this kind that is not shown ({} points).", ahead,
                     suite, world);
}

std::string FirstText(std::span<const std::string> names, const Race& race, const PairBounds& bounds,
                      const std::string& suite) {
  const std::string& first = names[race.looks().back().leader];
  const std::string ahead = AheadText(names, race, bounds);
  if (race.question().promise == Promise::kWorld)
    return fmt::format("{} leads: {} it is better on cases of this kind and first on {}.{}", first, kCertain,
                       suite, ahead);
  return fmt::format("{} is first on this suite: {} {} would say the same.{}", first, kCertain, suite, ahead);
}

// Of a race that ended with several that are equal, or not shown to differ: against the leader.
std::string TogetherText(std::span<const std::string> names, const Race& race, const std::string& suite) {
  const std::string& leader = names[race.looks().back().leader];
  std::vector<std::size_t> others = race.in_race();
  std::erase(others, race.looks().back().leader);
  const bool are_two = others.size() == 1;
  const std::string listed = NamesText(names, others);
  if (race.end() == RaceEnd::kEqual) {
    const std::string differ = are_two ? fmt::format("{} and {} differ", leader, listed)
                                       : fmt::format("{} differ from {}", listed, leader);
    return fmt::format("{} by less than {}: {} {} would say the same.", differ,
                       StepPoints(*race.question().within), kCertain, suite);
  }
  const std::string differ = are_two ? fmt::format("{} and {} are not shown to differ", leader, listed)
                                     : fmt::format("{} are not shown to differ from {}", listed, leader);
  return fmt::format("{}, and {} {} would not show it either.", differ, kCertain, suite);
}

}  // namespace

std::string LimitsText(const Interval& limits) {
  const Points points(limits, 0);
  const auto vanishes = [&points](double limit) {
    return limit > 0 && (points.Text(limit) == "0" || points.Text(limit) == "0.0");
  };
  if (!vanishes(limits.low) && !vanishes(limits.high)) return IntervalPoints(limits);
  const Points exact(std::nullopt, kPointMin);
  const auto text = [&exact](double limit) {
    return exact.Text(limit > 0 ? std::max(limit, kPointMin) : limit);
  };
  return fmt::format("{} to {}", text(limits.low), text(limits.high));
}

std::optional<std::size_t> DroppedLast(const Race& race) {
  if (race.end() != RaceEnd::kFirst) return std::nullopt;
  for (const RacePair& pair : race.looks().back().pairs) {
    if (pair.look.state == PairState::kLeads) return pair.against;
  }
  return std::nullopt;
}

std::string RaceSentence(std::span<const std::string> names, const Race& race,
                         const std::optional<PairBounds>& bounds, bool is_chosen) {
  const std::string dropped = DroppedText(names, race);
  if (race.end() == RaceEnd::kAll) return AllAskedText(race.table(), dropped);
  const std::string suite = SuiteText(race.table(), is_chosen);
  const std::string answer = race.end() == RaceEnd::kFirst
                                 ? FirstText(names, race, bounds.value_or(PairBounds()), suite)
                                 : TogetherText(names, race, suite);
  return answer + " " + AskedText(race.table(), race.n(), dropped);
}

std::string PairStopSentence(const std::string& a, const std::string& b, const UnitTable& table,
                             const PairQuestion& question, const PairCourse& course, bool is_chosen) {
  if (course.state == PairState::kAll) return AllAskedText(table);
  const std::string asked = AskedText(table, course.n);
  const std::string suite = SuiteText(table, is_chosen);
  const std::string by = StepPoints(-question.margin);
  const std::string holds =
      question.promise == Promise::kSuite
          ? fmt::format("{} {} would say the same", kCertain, suite)
          : fmt::format("{} that holds for cases of this kind and for {}", kCertain, suite);
  switch (course.state) {
    case PairState::kLeads:
      if (question.margin == 0) return fmt::format("{} is ahead of {}: {}. {}", a, b, holds, asked);
      return fmt::format("{} is better than {} by at least {}: {}. {}", a, b, by, holds, asked);
    case PairState::kTrails:
      if (question.margin == 0) return fmt::format("{} is ahead of {}: {}. {}", b, a, holds, asked);
      return fmt::format("{} is not better than {} by {}: {}. {}", a, b, by, holds, asked);
    case PairState::kEqual:
      return fmt::format("{} and {} differ by less than {}: {} {} would say the same. {}", a, b,
                         StepPoints(*question.within), kCertain, suite, asked);
    default:
      break;
  }
  const std::string differ = question.margin == 0
                                 ? fmt::format("{} and {} are not shown to differ", a, b)
                                 : fmt::format("Whether {} is better than {} by {} is not shown", a, b, by);
  return fmt::format("{}, and {} {} would not show it either. {}", differ, kCertain, suite, asked);
}

std::string GateStopSentence(const UnitTable& table, const PairQuestion& question, const PairCourse& course,
                             const PairBounds& bounds, bool is_chosen) {
  if (course.state == PairState::kAll) return AllAskedText(table);
  const std::string limits = LimitsText(WithoutMargin(bounds.suite, question.margin));
  const std::string asked = AskedText(table, course.n);
  const std::string suite = SuiteText(table, is_chosen);
  if (course.state == PairState::kNone)
    return fmt::format("No regression: {} the gate would pass on {} too ({} points). {}", kCertain, suite,
                       limits, asked);
  const std::string by = question.margin == 0 ? "" : " by more than " + StepPoints(question.margin);
  return fmt::format("Regression: {} it fell{} on {} ({} points) and on cases of this kind ({}). {}",
                     kCertain, by, suite, limits, LimitsText(WithoutMargin(bounds.world, question.margin)),
                     asked);
}

std::string LevelStopSentence(const std::string& name, const UnitTable& table, const LevelCourse& course,
                              bool is_chosen) {
  if (!course.is_decided) return AllAskedText(table);
  return fmt::format("{} scores {} on {} (95 %). {}", name, LimitsText(course.looks.back().bounds),
                     SuiteText(table, is_chosen), AskedText(table, course.n));
}

std::string ForecastSentence(double gap, const Forecast& forecast, std::uint64_t units, std::uint64_t cases) {
  if (gap == 0) return "";
  const auto in_cases = [&](std::uint64_t n) {
    return Grouped(static_cast<std::uint64_t>(
        std::llround(static_cast<double>(n) * static_cast<double>(cases) / static_cast<double>(units))));
  };
  const std::string all = GroupedCases(cases);
  if (forecast.median == units)
    return fmt::format("{} will hardly be told apart before all {} are asked.", StepPoints(gap), all);
  const std::string most = forecast.most == units ? "1 of 10 times all of them"
                                                  : "9 of 10 times at most " + in_cases(forecast.most);
  return fmt::format("To tell {} apart takes about {} of {} ({}).", StepPoints(gap),
                     in_cases(forecast.median), all, most);
}

}  // namespace assay
