// What a run that may end early says of its question, in words: one sentence or two each. Money and what is
// known of a run that asked everything stand in sentences of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "statistics/sequential/forecast.h"
#include "statistics/sequential/level.h"
#include "statistics/sequential/race.h"

namespace assay {

std::string Grouped(std::uint64_t count);       // "1,000"
std::string GroupedCases(std::uint64_t cases);  // "1,000 cases"

// "−3 to 5". A limit above 0 is never shown as 0: both limits then have a decimal.
std::string LimitsText(const Interval& limits);

// "Alder is first on this suite: with 95 % certainty the whole suite of 1,000 cases would say the same. …"
// `bounds`: of the leader against the first one that the last look dropped, if it dropped any. `names` by
// variant. `is_chosen`: options cut the suite. Of a race that has ended.
std::string RaceSentence(std::span<const std::string> names, const Race& race,
                         const std::optional<PairBounds>& bounds, bool is_chosen = false);
// The pair of the last look that RaceSentence shows the bounds of; nothing unless the race ended with a
// first.
std::optional<std::size_t> DroppedLast(const Race& race);

// "Alder is ahead of Birch: …", "Alder is better than Birch by at least 3 points: …"
std::string PairStopSentence(const std::string& a, const std::string& b, const UnitTable& table,
                             const PairQuestion& question, const PairCourse& course, bool is_chosen = false);
// "No regression: with 95 % certainty the gate would pass on the whole suite of 300 cases too (−3 to 5 …"
std::string GateStopSentence(const UnitTable& table, const PairQuestion& question, const PairCourse& course,
                             const PairBounds& bounds, bool is_chosen = false);
// "Alder scores 42 to 58 on the whole suite of 60 cases (95 %). 20 of 60 cases were asked."
std::string LevelStopSentence(const std::string& name, const UnitTable& table, const LevelCourse& course,
                              bool is_chosen = false);

// "To tell 5 points apart takes about 440 of 1,000 cases (9 of 10 times at most 720)." "" for a gap of 0.
// `units` in all, which are `cases`.
std::string ForecastSentence(double gap, const Forecast& forecast, std::uint64_t units, std::uint64_t cases);

}  // namespace assay
