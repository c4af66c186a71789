// How many units a run will ask until its question is decided, before anything is asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statistics/sequential/pair.h"

namespace assay {

// How far the mean of values of variance 1 has to lie from 0 after so much information, in the limit of many
// values, before the bets of StakesOf(alpha, planned) rule 0 out.
double BoundWidth(double information, double alpha, std::uint64_t planned);

struct ForecastQuestion {
  std::uint64_t units = 0;
  double spread = 0;  // of the differences of two variants; in shares of the score range, as is the gap
  double gap = 0;     // >= 0, between the two; 0 is decided by a tie alone, where cases of this kind count
  Promise promise = Promise::kSuite;
  std::size_t share = 1;  // how many comparisons share the 5 %
};

// After how many units it is decided: in half of all runs, and in nine of ten. All units: not before.
struct Forecast {
  std::uint64_t median = 0;
  std::uint64_t most = 0;
};
Forecast ForecastPair(const ForecastQuestion& question, std::span<const std::uint64_t> places);

struct RaceForecast {
  std::vector<std::uint64_t> each = {};  // units of each of the others, which the leader is compared with
  std::uint64_t end = 0;                 // units of the leader
  std::uint64_t asked = 0;               // of all variants together
};
struct RaceForecasts {
  RaceForecast median;
  RaceForecast most;
};
// `gaps`: of each of the others below the leader. `question` without gap and share.
RaceForecasts ForecastRace(ForecastQuestion question, std::span<const double> gaps,
                           std::span<const std::uint64_t> places);

}  // namespace assay
