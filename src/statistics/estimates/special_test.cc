// Tests of quantiles and tails against the tables of textbooks, and against each other.
#include "statistics/estimates/special.h"

#include <doctest/doctest.h>

#include <initializer_list>

namespace assay {
namespace {

TEST_CASE("the normal distribution") {
  CHECK(NormalQuantile(0.975) == doctest::Approx(kNormal975).epsilon(1e-13));
  CHECK(NormalQuantile(0.5) == doctest::Approx(0));
  CHECK(NormalBelow(1) == doctest::Approx(0.841344746068543).epsilon(1e-13));
  CHECK(NormalBelow(-38) > 0);
  for (const double q : {1e-12, 0.01, 0.3, 0.7, 0.999999})
    CHECK(NormalBelow(NormalQuantile(q)) == doctest::Approx(q).epsilon(1e-11));
}

TEST_CASE("Student's distribution") {
  CHECK(StudentQuantile(0.975, 1) == doctest::Approx(12.7062047361747).epsilon(1e-12));
  CHECK(StudentQuantile(0.975, 10) == doctest::Approx(2.228138851986273).epsilon(1e-12));
  CHECK(StudentBelow(1, 1) == doctest::Approx(0.75).epsilon(1e-13));  // Cauchy's
  CHECK(StudentTwoSidedP(2.228138851986273, 10) == doctest::Approx(0.05).epsilon(1e-12));
  CHECK(StudentTwoSidedP(-3, 4) == StudentTwoSidedP(3, 4));
  CHECK(StudentTwoSidedP(0, 4) == doctest::Approx(1));
  CHECK(StudentQuantile(0.975, 1e9) == doctest::Approx(kNormal975).epsilon(1e-6));
  for (const double q : {1e-6, 0.2, 0.5, 0.9}) {
    for (const double df : {1.0, 2.5, 30.0})
      CHECK(StudentBelow(StudentQuantile(q, df), df) == doctest::Approx(q).epsilon(1e-9));
  }
}

TEST_CASE("a fair coin") {
  CHECK(BinomialAtLeast(0, 10) == 1);
  CHECK(BinomialAtLeast(10, 10) == doctest::Approx(1.0 / 1024));
  CHECK(BinomialAtLeast(9, 10) == doctest::Approx(11.0 / 1024));
  CHECK(BinomialTwoSidedP(5, 5) == doctest::Approx(0.0625));
  CHECK(BinomialTwoSidedP(5, 10) == 1);
  CHECK(BinomialAtLeast(1'000, 1'000) == doctest::Approx(9.332636185032189e-302));
}

}  // namespace
}  // namespace assay
