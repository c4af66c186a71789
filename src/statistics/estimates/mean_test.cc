// Tests of intervals of means: Wilson's where the range is known, else Student's; and why there is none.
#include "statistics/estimates/mean.h"

#include <doctest/doctest.h>

#include <cmath>

#include "statistics/sample_test.h"

namespace assay {
namespace {

using testing::kUnit;
using testing::SampleOf;

TEST_CASE("a mean has an interval that stays in the range") {
  const MeanEstimate passes = EstimateMean(SampleOf({1, 1, 1, 1, 1, 1, 1, 1, 0, 0}), kUnit);
  CHECK(passes.method == MeanMethod::kWilson);
  CHECK(passes.interval->low == doctest::Approx(0.490162).epsilon(1e-5));
  CHECK(passes.interval->high == doctest::Approx(0.943318).epsilon(1e-5));
  const MeanEstimate all = EstimateMean(SampleOf({1, 1, 1}), kUnit);
  CHECK(all.interval->high == 1);
  CHECK(all.interval->low > 0);
  CHECK(all.interval->low < 1);
}

TEST_CASE("what has no number says why") {
  const MeanEstimate none = EstimateMean(SampleOf({}), kUnit);
  CHECK_FALSE(none.mean);
  CHECK(WhyText(none.why) == "no case has a score");
  const MeanEstimate one = EstimateMean(SampleOf({0.5}), kUnit);
  CHECK(one.mean == 0.5);
  CHECK_FALSE(one.interval);
  CHECK(WhyCode(one.why) == "one_case");
}

TEST_CASE("a weight of 0 leaves a case out") {
  const double weights[] = {1, 0, 1};
  const Design design = {.weights = weights, .range = ScoreRange{0, 1}};
  const MeanEstimate estimate = EstimateMean(SampleOf({0.25, 1, 0.75}), design);
  CHECK(estimate.mean == 0.5);
  CHECK(estimate.cases_left_out == 1);
}

TEST_CASE("Wilson's interval is the textbook's, and never leaves 0 to 1") {
  const Interval interval = WilsonInterval(0.5, 10, 1.959963984540054);
  CHECK(interval.low == doctest::Approx(0.236593).epsilon(1e-5));
  CHECK(interval.high == doctest::Approx(0.763407).epsilon(1e-5));
  for (const double p : {0.0, 1e-9, 0.3, 1 - 1e-9, 1.0}) {
    for (const double count : {1.0, 2.5, 1e6}) {
      const Interval each = WilsonInterval(p, count, 3);
      CHECK(each.low >= 0);
      CHECK(each.low <= p);
      CHECK(each.high >= p);
      CHECK(each.high <= 1);
    }
  }
}

TEST_CASE("without a range the interval is Student's") {
  const MeanEstimate estimate = EstimateMean(SampleOf({10, 12, 14}), {});
  CHECK(estimate.method == MeanMethod::kStudent);
  CHECK(estimate.mean == 12);
  CHECK(*estimate.se == doctest::Approx(2 / std::sqrt(3)));
  CHECK(estimate.interval->high == doctest::Approx(12 + 4.302652729911275 * 2 / std::sqrt(3)));
}

}  // namespace
}  // namespace assay
