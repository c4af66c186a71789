// Tests of the test of Mann and Whitney against published and plain values.
#include "statistics/estimates/mann_whitney.h"

#include <doctest/doctest.h>

#include <vector>

namespace assay {
namespace {

TEST_CASE("p by the normal distribution, with corrections for continuity and ties") {
  const std::vector<double> males = {19, 22, 16, 29, 24};  // SciPy's example of mannwhitneyu
  const std::vector<double> females = {20, 11, 17, 12};
  CHECK(MannWhitneyTwoSidedP(males, females) == doctest::Approx(0.11134688653314041).epsilon(1e-12));
  CHECK(MannWhitneyTwoSidedP(females, males) == doctest::Approx(0.11134688653314041).epsilon(1e-12));
}

TEST_CASE("nothing to compare, or nothing that varies, is no difference") {
  const std::vector<double> none;
  const std::vector<double> some = {0.1 + 0.2, 0.3, 0.3};  // equal but for rounding
  CHECK(MannWhitneyTwoSidedP(none, some) == 1);
  CHECK(MannWhitneyTwoSidedP(some, none) == 1);
  CHECK(MannWhitneyTwoSidedP(some, some) == 1);
}

TEST_CASE("samples that do not overlap differ") {
  const std::vector<double> low(16, 0), high(32, 1);
  CHECK(MannWhitneyTwoSidedP(low, high) < 1e-9);
}

}  // namespace
}  // namespace assay
