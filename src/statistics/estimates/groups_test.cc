// Tests of means by group: what the macro mean may say, and that its interval covers in small suites.
#include "statistics/estimates/groups.h"

#include <doctest/doctest.h>

#include <cmath>

#include "statistics/sample_test.h"

namespace assay {
namespace {

using testing::kUnit;
using testing::SampleOf;

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("each group counts the same in the macro mean, each case in the micro mean") {
  const GroupMeans means =
      EstimateGroups(SampleOf({1, 0, 1, 1, 0, 0, 1}), Numbers{0, 0, 0, 0, 1, 1, 1}, 2, kUnit);
  CHECK(*means.groups[0].mean == 0.75);
  CHECK(*means.micro.mean == doctest::Approx(4.0 / 7));
  CHECK(*means.macro.mean == doctest::Approx(0.75 / 2 + 1.0 / 6));
  CHECK(*means.macro.se == doctest::Approx(std::hypot(0.25, 1.0 / 3) / 2));
  CHECK(*means.macro.df == doctest::Approx(4.032258064516129));
  CHECK(means.macro.groups == 2);
  REQUIRE(means.macro.interval);
  CHECK(means.macro.interval->low > 0);
  CHECK(means.macro.interval->high < 1);
}

TEST_CASE(
    "a group of one case leaves the macro mean without an interval, and a group without any takes no part") {
  const GroupMeans one = EstimateGroups(SampleOf({1, 0, 1}), Numbers{0, 0, 1}, 2, kUnit);
  CHECK(*one.macro.mean == 0.75);
  CHECK_FALSE(one.macro.se);
  CHECK_FALSE(one.macro.interval);
  CHECK(one.macro.why == Why::kOneCase);
  const GroupMeans empty = EstimateGroups(SampleOf({1, 0}), Numbers{0, 0}, 2, kUnit);
  CHECK(empty.macro.groups == 1);
  CHECK(*empty.macro.mean == 0.5);
  CHECK(empty.groups[1].why == Why::kNoCase);
  CHECK(EstimateGroups({}, {}, 0, kUnit).macro.why == Why::kNoCase);
}

TEST_CASE("cases of one cluster are one case of their group") {
  const Numbers clusters = {0, 1, 2, 2};
  Design design = kUnit;
  design.clusters = clusters;
  const GroupMeans means = EstimateGroups(SampleOf({1, 0, 0.5, 1}), Numbers{0, 0, 1, 1}, 2, design);
  CHECK(means.macro.why == Why::kOneCluster);
}

TEST_CASE("where nothing varies within groups, chance is not told") {
  const GroupMeans means = EstimateGroups(SampleOf({1, 1, 0, 0}), Numbers{0, 0, 1, 1}, 2, kUnit);
  CHECK(*means.macro.mean == 0.5);
  CHECK(*means.macro.se == 0);
  CHECK(means.macro.why == Why::kNoSpread);
  CHECK_FALSE(means.macro.df);
}

TEST_CASE("at the edge, groups of unequal size say as much as so many cases of equal groups") {
  const GroupMeans equal = EstimateGroups(SampleOf({1, 1, 1, 1, 1, 1}), Numbers{0, 0, 0, 1, 1, 1}, 2, kUnit);
  CHECK(*equal.macro.effective_cases == doctest::Approx(6));
  CHECK(equal.macro.interval->high == 1);
  CHECK(equal.macro.interval->low == doctest::Approx(equal.micro.interval->low));
  const GroupMeans unequal =
      EstimateGroups(SampleOf({1, 1, 1, 1, 1, 1}), Numbers{0, 0, 0, 0, 1, 1}, 2, kUnit);
  CHECK(*unequal.macro.effective_cases == doctest::Approx(4 / (1.0 / 4 + 1.0 / 2)));
}

TEST_CASE("a small group whose cases happen to agree makes no narrow interval") {
  // Two of two right, ten of twenty: the two say little of cases that were not drawn.
  std::vector<double> scores = {1, 1};
  Numbers groups = {0, 0};
  for (int i = 0; i < 20; ++i) {
    scores.push_back(i % 2);
    groups.push_back(1);
  }
  Sample sample;
  for (const double score : scores) sample.Add(std::span(&score, 1));
  const GroupMeans means = EstimateGroups(sample, groups, 2, kUnit);
  CHECK(*means.macro.mean == 0.75);
  CHECK(*means.macro.effective_cases < 8);
  CHECK(means.macro.interval->low < 0.5);
}

TEST_CASE("one question in several groups counts once for chance") {
  // The same four questions in two languages: twice the cases, no more questions.
  const Sample twice = SampleOf({1, 0, 1, 1, 1, 0, 1, 1});
  const Numbers groups = {0, 0, 0, 0, 1, 1, 1, 1};
  const Numbers questions = {0, 1, 2, 3, 0, 1, 2, 3};
  Design design = kUnit;
  design.clusters = questions;
  const GroupMeans crossed = EstimateGroups(twice, groups, 2, design);
  CHECK(*crossed.macro.se == doctest::Approx(0.25));
  CHECK(*crossed.macro.df == 3);
  CHECK(*EstimateGroups(twice, groups, 2, kUnit).macro.se == doctest::Approx(0.25 / std::sqrt(2)));
}

TEST_CASE("parts that overlap have means of their own") {
  const Sample sample = SampleOf({1, 0, 1});
  CHECK(*EstimatePart(sample, std::vector<std::uint8_t>{1, 1, 0}, kUnit).mean == 0.5);
  CHECK(*EstimatePart(sample, std::vector<std::uint8_t>{1, 0, 1}, kUnit).mean == 1);
  CHECK(EstimatePart(sample, std::vector<std::uint8_t>{0, 0, 0}, kUnit).why == Why::kNoCase);
}

// A stream of numbers from 0 to 1 that is the same everywhere (SplitMix64).
class Drawer {
 public:
  double Next() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

 private:
  std::uint64_t state_ = 7;
};

TEST_CASE("the macro interval covers in small suites of unequal groups") {
  Drawer drawer;
  const std::vector<std::vector<int>> suites = {{3, 3},     {5, 5},        {2, 18},     {3, 17},
                                                {2, 8, 10}, {2, 2, 2, 14}, {3, 3, 3, 3}};
  for (const std::vector<int>& sizes : suites) {
    for (const double hard : {0.5, 0.8}) {
      constexpr int kRounds = 1500;
      int covered = 0;
      int defined = 0;
      for (int round = 0; round < kRounds; ++round) {
        Sample sample;
        Numbers groups;
        double truth = 0;
        for (std::uint32_t g = 0; g < sizes.size(); ++g) {
          const double p = g == 0 ? hard : 0.9;
          truth += p / static_cast<double>(sizes.size());
          for (int i = 0; i < sizes[g]; ++i) {
            const double score = drawer.Next() < p ? 1 : 0;
            sample.Add(std::span(&score, 1));
            groups.push_back(g);
          }
        }
        const MacroEstimate macro =
            EstimateGroups(sample, groups, static_cast<std::uint32_t>(sizes.size()), kUnit).macro;
        if (!macro.interval) continue;
        ++defined;
        covered += macro.interval->low <= truth && truth <= macro.interval->high ? 1 : 0;
      }
      CHECK(defined > kRounds / 2);
      CHECK(covered > 0.92 * defined);
    }
  }
}

}  // namespace
}  // namespace assay
