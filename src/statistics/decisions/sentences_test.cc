// Tests of the wording of statistics: the worked examples of docs/statistics.md.
#include "statistics/decisions/sentences.h"

#include <doctest/doctest.h>

#include <string>

#include "statistics/decisions/power.h"
#include "statistics/sample_test.h"

namespace assay {
namespace {

using testing::kUnit;
using testing::SampleOf;

TEST_CASE("a mean") {
  const MeanEstimate passes = EstimateMean(SampleOf({1, 1, 1, 1, 1, 1, 1, 1, 0, 0}), kUnit);
  CHECK(MeanSentence("A", passes) == "A scores 80 (95 %: 49 to 94) on 10 cases.");
}

TEST_CASE("a paired difference is told with the leader first") {
  const Sample a = SampleOf({.9, .8, 1, .7, .95, .6, .85, 1, .75, .9});
  const Sample b = SampleOf({.7, .8, .9, .6, .9, .65, .7, .95, .6, .85});
  const PairedEstimate estimate = ComparePaired(a, b, kUnit);
  CHECK(PairedSentence("A", "B", estimate, *estimate.p) ==
        "A leads B by 8 points (95 %: 3 to 13) on 10 cases.");
  const PairedEstimate turned = ComparePaired(b, a, kUnit);
  CHECK(PairedSentence("B", "A", turned, *turned.p) == "A leads B by 8 points (95 %: 3 to 13) on 10 cases.");
}

TEST_CASE("a tie whose interval excludes 0 says why") {
  const PairedEstimate four = ComparePaired(SampleOf({1, 1, 1, 1}), SampleOf({0, 0, 0, 0}), kUnit);
  CHECK(
      PairedSentence("A", "B", four, *four.p) ==
      "A and B cannot be told apart: A − B is 100 points (95 %: 31 to 100) on 4 cases; too few cases changed "
      "(4) to rule out chance.");
}

TEST_CASE("of more than four names three are told") {
  for (const auto& [count, want] : {std::pair<int, std::string>{4, "A, B, C and D cannot be told apart."},
                                    {5, "A, B, C and 2 others cannot be told apart."}}) {
    const std::vector<Sample> samples(count, SampleOf({1, 0, 1}));
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.emplace_back(1, static_cast<char>('A' + i));
    CHECK(RankingSentence(names, Rank(samples, kUnit)) == want);
  }
}

TEST_CASE("a gate tells what it could not have seen, and when it cannot tell") {
  const Sample fresh = SampleOf({.5, .6, .7, .8, .9, .4});
  const Sample base = SampleOf({.55, .6, .65, .85, .9, .4});
  const GateEstimate gate = TestRegression(fresh, base, kUnit, 0);
  CHECK(GateSentence(gate, *gate.paired.p).find("would often go unseen") != std::string::npos);
  const GateEstimate none = TestRegression(SampleOf({}), SampleOf({}), kUnit, 0);
  CHECK(GateSentence(none, 1) == "Cannot tell: no case that both runs have a score for.");
  const GateEstimate all = TestRegression(SampleOf({0, 0, 0, 0, 0}), SampleOf({1, 1, 1, 1, 1}), kUnit, 0);
  CHECK(GateSentence(all, *all.paired.p) == "Regression: −100 points (95 %: −100 to −39) on 5 cases.");
  const GateEstimate four = TestRegression(SampleOf({0, 0, 0, 0}), SampleOf({1, 1, 1, 1}), kUnit, 0);
  CHECK(GateSentence(four, *four.paired.p) ==
        "Cannot tell: −100 points (95 %: −100 to −31) on 4 cases; fewer than 5 cases cannot show a "
        "regression.");
}

TEST_CASE("power and labels that agree") {
  CHECK(PowerSentence(5, {}) == "5 cases show no difference; at least 6 are needed.");
  const double labels[] = {0.8, 0.3, 0.6};
  const std::string told =
      LabelSentence("", EstimateFromLabels({.labels = labels, .judged = labels, .unlabelled = {}}));
  CHECK(told.find("too") == told.find("too few"));
}

}  // namespace
}  // namespace assay
