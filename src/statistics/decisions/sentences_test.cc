// Tests of the wording of statistics: the worked examples of docs/statistics.md.
#include "statistics/decisions/sentences.h"

#include <doctest/doctest.h>

#include <string>

#include "statistics/decisions/power.h"
#include "statistics/decisions/sentence_parts.h"
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
      "A and B are not shown to differ: A − B is 100 points (95 %: 31 to 100) on 4 cases; fewer than 6 cases "
      "cannot show a difference.");
}

TEST_CASE("a pair that is enough alone says so where it is compared together with others") {
  const PairedEstimate six = ComparePaired(SampleOf({1, 1, 1, 1, 1, 1}), SampleOf({0, 0, 0, 0, 0, 0}), kUnit);
  CHECK(PairedSentence("A", "B", six, *six.p).starts_with("A leads B by 100 points"));
  CHECK(PairedSentence("A", "B", six, 3 * *six.p, 4).ends_with("; enough between two alone, not among 4."));
}

TEST_CASE("a ranking names at most two") {
  std::vector<std::string> names;
  for (int i = 0; i < 16; ++i) names.push_back("v" + std::to_string(i));
  const std::vector<Sample> equal(16, SampleOf({1, 0, 1, 1, 0, 1, 1, 0, 1, 1}));
  CHECK(RankingSentence(names, Rank(equal, kUnit)) ==
        "No difference between 16 variants is shown: v0 − v15, highest and lowest, is 0 points (95 %: −20 to "
        "20) on 10 cases.");
  const std::vector<Sample> few(16, SampleOf({1, 0, 1}));
  CHECK(RankingSentence(names, Rank(few, kUnit)).starts_with("3 cases cannot rank 16 variants; 10 could: "));
}

TEST_CASE("ranks and scores in tables") {
  CHECK(RankText({.rank = 2, .rank_last = 5, .can_rank = true}) == "2–5");
  CHECK(RankText({.rank = 1, .rank_last = 1, .can_rank = true}) == "1");
  CHECK(RankText({.rank = 1, .rank_last = 9, .can_rank = false}) == "–");
  CHECK(MeanPoints(0.9044) == "90.4");
  CHECK(ScorePoints(0.75) == "75");
  CHECK(ScorePoints(1.0 / 3) == "33.3");
  CHECK(ScorePoints(-0.5) == "−50");
  CHECK(IntervalPoints({0.79, 0.964}) == "79 to 96");
  CHECK(IntervalPoints({0.79, 0.805}) == "79.0 to 80.5");
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

TEST_CASE("power") {
  CHECK(PowerSentence(ReachOf(0.35, 5, 2)) == "5 cases show no difference; at least 6 are needed.");
}

}  // namespace
}  // namespace assay
