// What a run that may end early tells of itself while it goes on: who is still asked, how far it is, and when
// it will be decided if what was seen so far goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/decide/until/stop_course.h"

namespace assay {

// After how many units every open question will be decided, by the gaps and spreads of the last look; all
// units: not before. Nothing: nobody has looked yet, or no question is open.
std::optional<std::uint64_t> ForecastOfRest(const StopCourse& course, const StopScores& scores);

class RaceProgress {
 public:
  // "4 of 10 in the race, 212 of 1,000 cases; decided after about 300". It forecasts once a look.
  std::string Text(const StopCourse& course, const StopScores& scores, std::uint64_t cases);

 private:
  std::uint64_t looks_ = 0;  // of all questions, when it forecast
  std::optional<std::uint64_t> end_;
};

}  // namespace assay
