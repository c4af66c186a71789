// Tests of samples: what they take and leave out, and the error of a mean over cases or clusters.
#include "statistics/sample.h"

#include <doctest/doctest.h>

#include <cmath>

#include "statistics/sample_test.h"

namespace assay {
namespace {

TEST_CASE("a score that is not finite is an error, not a number") {
  Sample sample;
  const double scores[] = {1, std::nan(""), HUGE_VAL};
  sample.Add(scores);
  CHECK(sample.cases[0].value == 1);
  CHECK(sample.cases[0].scored == 1);
  CHECK(sample.left_out[static_cast<std::size_t>(LeftOut::kError)] == 2);
}

TEST_CASE("a case is the mean of its attempts, and binary only if each of them is") {
  Sample sample;
  const double passed[] = {1, 0};
  const double graded[] = {1, 0.5};
  sample.Add(passed);
  sample.Add(graded);
  sample.Add({});
  CHECK(sample.cases[0].value == 0.5);
  CHECK(sample.cases[0].is_binary);
  CHECK(sample.cases[1].value == 0.75);
  CHECK_FALSE(sample.cases[1].is_binary);
  CHECK(sample.cases[2].scored == 0);
  CHECK_FALSE(Design().IsUsed(sample.cases[2], 2));
}

TEST_CASE("without clusters the error of a mean is the textbook's: s over the root of n") {
  const Weighted used = UsedValues(testing::SampleOf({1, 2, 3}), {});
  const ClusteredMean mean = MeanOver(used, 3);
  CHECK(mean.mean == 2);
  CHECK(*mean.se == doctest::Approx(1 / std::sqrt(3)));
  CHECK(mean.df == 2);
}

TEST_CASE("cases that come in pairs count as half as many") {
  const std::uint32_t clusters[] = {7, 7, 3, 3};
  const Weighted used = UsedValues(testing::SampleOf({1, 1, 0, 0}), {.clusters = clusters});
  CHECK(used.cluster_count == 2);
  const ClusteredMean mean = MeanOver(used, 1);
  // Two clusters of 1 and 0: as if there were two cases.
  CHECK(*mean.se == doctest::Approx(*MeanOver(UsedValues(testing::SampleOf({1, 0}), {}), 1).se));
  CHECK(mean.df == 1);
  const std::uint32_t one[] = {5, 5, 5, 5};
  CHECK_FALSE(MeanOver(UsedValues(testing::SampleOf({1, 1, 0, 0}), {.clusters = one}), 1).se);
}

TEST_CASE("an error that is rounding noise is 0") {
  const ClusteredMean mean = MeanOver(UsedValues(testing::SampleOf({0.3, 0.1 + 0.2, 0.3}), {}), 1);
  CHECK(mean.se == 0);
  CHECK(AreAllEqual(std::vector<double>{0.3, 0.1 + 0.2}, 1));
  CHECK_FALSE(AreAllEqual(std::vector<double>{0.3, 0.3001}, 1));
}

TEST_CASE("every reason has a code and a sentence of its own, and none has neither") {
  CHECK(WhyCode(Why::kNone).empty());
  for (int i = 1; i <= static_cast<int>(Why::kNotLikeTheRest); ++i) {
    CAPTURE(i);
    CHECK_FALSE(WhyCode(static_cast<Why>(i)).empty());
    CHECK_FALSE(WhyText(static_cast<Why>(i)).empty());
    for (int j = 1; j < i; ++j) CHECK(WhyCode(static_cast<Why>(i)) != WhyCode(static_cast<Why>(j)));
  }
}

}  // namespace
}  // namespace assay
