// Tests of power: the smallest difference that is seen, and the cases that a difference needs.
#include "statistics/decisions/power.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("under six cases no difference is promised") {
  CHECK_FALSE(SmallestDifferenceSeen(0.35, 5));
  CHECK(CasesNeeded(0.05, 0.9) == 6);
}

TEST_CASE("a suite of 40 cases sees 16 points, and 5 points need 387") {
  CHECK(SmallestDifferenceSeen(0.35, 40) == doctest::Approx(0.16).epsilon(0.01));
  CHECK(CasesNeeded(0.35, 0.05) == 387);
  CHECK_FALSE(CasesNeeded(0.35, 1e-6));
}

TEST_CASE("the cases that are said to be needed are enough, and one fewer is not") {
  for (const double spread : {0.1, 0.35, 0.5}) {
    for (const double difference : {0.02, 0.1, 0.3}) {
      CAPTURE(spread);
      CAPTURE(difference);
      const std::uint64_t needed = CasesNeeded(spread, difference).value();
      CHECK(*SmallestDifferenceSeen(spread, needed) <= difference);
      if (needed > kClustersForPower) CHECK(*SmallestDifferenceSeen(spread, needed - 1) > difference);
    }
  }
}

TEST_CASE("with many cases the factor is the normal distribution's") {
  CHECK(PowerFactor(1e9) == doctest::Approx(1.959964 + 0.841621).epsilon(1e-5));
  CHECK(PowerFactor(5) > PowerFactor(50));
}

TEST_CASE("more attempts take away what lies within cases, and no more") {
  CHECK(SpreadAtAttempts(0.5, 0.09, 1, 1) == doctest::Approx(0.5));
  CHECK(SpreadAtAttempts(0.5, 0.09, 1, 1e12) == doctest::Approx(0.4));  // 0.25 - 0.09 is left
  CHECK(SpreadAtAttempts(0.5, 0, 1, 10) == doctest::Approx(0.5));
}

}  // namespace
}  // namespace assay
