// Tests of a mean that is estimated to within a half width.
#include "statistics/sequential/level.h"

#include <doctest/doctest.h>

#include <random>

#include "statistics/sample_test.h"
#include "statistics/sequential/order.h"

namespace assay {
namespace {

Sample Passes(std::size_t cases, std::uint64_t of_ten, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  Sample sample;
  for (std::size_t i = 0; i < cases; ++i) {
    const double score = dice() % 10 < of_ten ? 1 : 0;
    sample.Add(std::span(&score, 1));
  }
  return sample;
}

TEST_CASE("bounds are no further apart than was asked, and contain the mean of all cases") {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Sample sample = Passes(300, 7, seed);
    const UnitTable table(300, testing::kUnit);
    const LevelCourse course = FollowLevel(table, sample.cases, 0.1, LookPlaces(300));
    REQUIRE(course.is_decided);
    const Interval& bounds = course.looks.back().bounds;
    CHECK(bounds.high - bounds.low <= 0.2);
    const double mean = *MeanOfUnits(table, sample.cases, 300);
    wrong += mean < bounds.low || mean > bounds.high ? 1 : 0;
  }
  CHECK(wrong <= 5);
}

TEST_CASE("a smaller half width takes longer") {
  const Sample sample = Passes(500, 8, 1);
  const UnitTable table(500, testing::kUnit);
  std::uint64_t before = 0;
  for (const double half : {0.2, 0.1, 0.05, 0.02}) {
    const LevelCourse course = FollowLevel(table, sample.cases, half, LookPlaces(500));
    CHECK(course.n >= before);
    before = course.n;
  }
}

TEST_CASE("a case without a score may have any: bounds of all cases stay as far apart as such cases allow") {
  Sample sample = testing::SampleOf({1, 1, 0, 0, 1, 0, 1, 1});
  sample.cases[7] = {};
  const UnitTable table(8, {.range = ScoreRange{0, 1}});
  const LevelLook all = LookAtLevel(table, sample.cases, 8);
  CHECK(all.bounds.low == doctest::Approx(4.0 / 8));
  CHECK(all.bounds.high == doctest::Approx(5.0 / 8));
  CHECK(all.left_out == 1);
  CHECK(IsDecided(all, 0.0626));
  CHECK_FALSE(IsDecided(all, 0.0624));
}

TEST_CASE("scores of another range have bounds in it, and none above it where weights are uneven") {
  const Sample sample = testing::SampleOf({8, 8, 8, 8, 8, 8, 8, 8, 8, 8});
  const double weights[] = {1, 1, 1, 1, 1, 9, 1, 1, 1, 1};
  const UnitTable table(10, {.weights = weights, .range = ScoreRange{-2, 8}});
  const LevelLook look = LookAtLevel(table, sample.cases, 2);
  CHECK(look.bounds.low >= -2);
  CHECK(look.bounds.high == 8);
}

}  // namespace
}  // namespace assay
