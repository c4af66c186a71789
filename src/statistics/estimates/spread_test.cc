// Tests of splitting variance, on numbers that can be worked out by hand.
#include "statistics/estimates/spread.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

TEST_CASE("two cases of two attempts") {
  // Means 2 and 6 around 4: between 2 * (4 + 4) = 16 on one degree, within (1 + 1 + 1 + 1) / 2 = 2.
  const std::vector<std::vector<double>> cases = {{1, 3}, {5, 7}};
  const SpreadParts parts = SplitSpread(cases, std::nullopt);
  CHECK(*parts.ms_between == doctest::Approx(16));
  CHECK(*parts.ms_within == doctest::Approx(2));
  CHECK(*parts.attempts == doctest::Approx(2));
  CHECK(*parts.case_part == doctest::Approx(7));
  CHECK(*parts.icc == doctest::Approx(7.0 / 9));
  CHECK_FALSE(parts.judge_part);
}

TEST_CASE("one attempt each cannot be split") {
  const std::vector<std::vector<double>> cases = {{1}, {0}, {1}};
  const SpreadParts parts = SplitSpread(cases, std::nullopt);
  CHECK(parts.cases == 3);
  CHECK_FALSE(parts.ms_within);
  CHECK(parts.why == Why::kOneAttempt);
}

TEST_CASE("judges take their part out of what lies within cases") {
  const std::vector<std::vector<double>> cases = {{1, .8}, {.4, .6}, {.9, .9}, {.2, .5}};
  const SpreadParts parts = SplitSpread(cases, 0.004);
  CHECK(*parts.of_case == doctest::Approx(0.87).epsilon(0.01));
  CHECK(*parts.of_case + *parts.of_sampling + *parts.of_judge == doctest::Approx(1));
  CHECK(*parts.judge_part == 0.004);
}

TEST_CASE("what votes leave open of a score: their variance over their number, by weight squared") {
  const std::vector<JudgedPoint> points = {{1, {0, 1}}, {1, {1, 1}}};
  CHECK(*JudgeVariance(points) == doctest::Approx(0.25 * 0.5 / 2));
  CHECK_FALSE(JudgeVariance(std::vector<JudgedPoint>{{1, {1}}}));
  CHECK_FALSE(JudgeVariance({}));
}

}  // namespace
}  // namespace assay
