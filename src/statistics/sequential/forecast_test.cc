// Tests of forecasts: they follow the gap, the spread and the promise.
#include "statistics/sequential/forecast.h"

#include <doctest/doctest.h>

#include "statistics/sequential/order.h"

namespace assay {
namespace {

Forecast Of(double gap, double spread, Promise promise = Promise::kSuite, std::uint64_t units = 1'000) {
  return ForecastPair({.units = units, .spread = spread, .gap = gap, .promise = promise}, LookPlaces(units));
}

TEST_CASE("a larger gap takes fewer cases, a larger spread and a wider promise more") {
  std::uint64_t before = 1'000;
  for (const double gap : {0.02, 0.05, 0.1, 0.2, 0.4}) {
    CHECK(Of(gap, 0.35).median <= before);
    CHECK(Of(gap, 0.35).median <= Of(gap, 0.35).most);
    CHECK(Of(gap, 0.35).median <= Of(gap, 0.5).median);
    CHECK(Of(gap, 0.35).median <= Of(gap, 0.35, Promise::kWorld).median);
    before = Of(gap, 0.35).median;
  }
  CHECK(before < 100);
}

TEST_CASE("without a gap only a tie on cases of this kind ends a run early") {
  CHECK(Of(0, 0.35).median == 1'000);
  CHECK(Of(0, 0.35, Promise::kWorld).median < 1'000);
  CHECK(Of(0, 0.35, Promise::kWorld, 19).median == 19);
  CHECK(Of(0.1, 0).median == 1'000);  // no spread is known
}

TEST_CASE("the leader of a race is asked as long as the one who is last dropped") {
  const double gaps[] = {0.1, 0.3};
  const RaceForecasts race = ForecastRace({.units = 1'000, .spread = 0.35}, gaps, LookPlaces(1'000));
  const Forecast near =
      ForecastPair({.units = 1'000, .spread = 0.35, .gap = 0.1, .share = 2}, LookPlaces(1'000));
  CHECK(race.median.each[0] == near.median);
  CHECK(race.median.end == near.median);
  CHECK(race.median.asked == 2 * near.median + race.median.each[1]);
  CHECK(race.most.end == near.most);
  const RaceForecasts alone = ForecastRace({.units = 50, .spread = 0.35}, {}, LookPlaces(50));
  CHECK(alone.median.asked == 50);
}

TEST_CASE("more information makes the width smaller") {
  CHECK(BoundWidth(400, 0.025, 100) < BoundWidth(100, 0.025, 100));
  CHECK(BoundWidth(100, 0.01, 100) > BoundWidth(100, 0.025, 100));
  // Never below what one look that is fixed beforehand needs: z(0.975)/√n.
  CHECK(BoundWidth(100, 0.025, 100) > 0.1959);
}

}  // namespace
}  // namespace assay
