// The worked examples of docs/statistics.md, and what must hold for any input. The numbers of reference
// libraries are conformance rows.
#include <doctest/doctest.h>

#include <cmath>

#include "statistics/bootstrap.h"
#include "statistics/labels.h"
#include "statistics/pass_k.h"
#include "statistics/power.h"
#include "statistics/rank.h"
#include "statistics/sentences.h"
#include "statistics/spread.h"

namespace assay {
namespace {

constexpr Design kUnit = {.range = ScoreRange{0, 1}};

Sample SampleOf(std::initializer_list<double> scores) {
  Sample sample;
  for (const double score : scores) sample.Add(std::span(&score, 1));
  return sample;
}

TEST_CASE("a mean has an interval that stays in the range") {
  const MeanEstimate passes = EstimateMean(SampleOf({1, 1, 1, 1, 1, 1, 1, 1, 0, 0}), kUnit);
  CHECK(MeanSentence("A", passes) == "A scores 80 (95 %: 49 to 94) on 10 cases.");
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

TEST_CASE("a score that is not finite is an error, not a number") {
  Sample sample;
  const double scores[] = {1, std::nan(""), HUGE_VAL};
  sample.Add(scores);
  CHECK(sample.cases[0].value == 1);
  CHECK(sample.cases[0].scored == 1);
  CHECK(sample.left_out[static_cast<std::size_t>(LeftOut::kError)] == 2);
}

TEST_CASE("a weight of 0 leaves a case out") {
  const double weights[] = {1, 0, 1};
  const Design design = {.weights = weights, .range = ScoreRange{0, 1}};
  const MeanEstimate estimate = EstimateMean(SampleOf({0.25, 1, 0.75}), design);
  CHECK(estimate.mean == 0.5);
  CHECK(estimate.cases_left_out == 1);
}

TEST_CASE("a paired difference is told with the leader first") {
  const Sample a = SampleOf({.9, .8, 1, .7, .95, .6, .85, 1, .75, .9});
  const Sample b = SampleOf({.7, .8, .9, .6, .9, .65, .7, .95, .6, .85});
  const PairedEstimate estimate = ComparePaired(a, b, kUnit);
  CHECK(*estimate.p == doctest::Approx(10.0 / 512));
  CHECK(PairedSentence("A", "B", estimate, *estimate.p) ==
        "A leads B by 8 points (95 %: 3 to 13) on 10 cases.");
  const PairedEstimate turned = ComparePaired(b, a, kUnit);
  CHECK(PairedSentence("B", "A", turned, *turned.p) == "A leads B by 8 points (95 %: 3 to 13) on 10 cases.");
  CHECK(VerdictOf(turned, *turned.p) == Verdict::kTrails);
}

TEST_CASE("few differing cases make no leader, however narrow the interval") {
  Sample a;
  Sample b;
  for (int i = 0; i < 40; ++i) {
    const double won = 1;
    const double other = i < 4 ? 0 : 1;
    a.Add(std::span(&won, 1));
    b.Add(std::span(&other, 1));
  }
  const PairedEstimate estimate = ComparePaired(a, b, kUnit);
  CHECK(*estimate.p == doctest::Approx(0.125));
  CHECK(VerdictOf(estimate, *estimate.p) == Verdict::kTie);
}

TEST_CASE("equal variants share a rank") {
  const std::vector<Sample> samples = {SampleOf({1, 0, 1}), SampleOf({1, 0, 1}), SampleOf({})};
  std::vector<Sample> aligned = samples;
  aligned[2].cases.resize(3);
  const Ranking ranking = Rank(aligned, kUnit);
  REQUIRE(ranking.places.size() == 2);
  CHECK(ranking.places[0].rank == 1);
  CHECK(ranking.places[1].rank == 1);
  CHECK(ranking.unranked == std::vector<VariantNumber>{2});
}

TEST_CASE("a gate tells what it could not have seen") {
  const Sample fresh = SampleOf({.5, .6, .7, .8, .9, .4});
  const Sample base = SampleOf({.55, .6, .65, .85, .9, .4});
  const GateEstimate gate = TestRegression(fresh, base, kUnit, 0);
  CHECK(gate.state == GateState::kNone);
  CHECK(GateSentence(gate, *gate.paired.p).find("would often go unseen") != std::string::npos);
  const GateEstimate none = TestRegression(SampleOf({}), SampleOf({}), kUnit, 0);
  CHECK(none.state == GateState::kNotDefined);
  CHECK(GateSentence(none, 1) == "Cannot tell: no case that both runs have a score for.");
}

TEST_CASE("five lost cases are a regression, four are too few to tell, and more gates need more cases") {
  const GateEstimate all = TestRegression(SampleOf({0, 0, 0, 0, 0}), SampleOf({1, 1, 1, 1, 1}), kUnit, 0);
  CHECK(all.state == GateState::kRegression);
  CHECK(GateSentence(all, *all.paired.p) == "Regression: −100 points (95 %: −100 to −39) on 5 cases.");
  const GateEstimate four = TestRegression(SampleOf({0, 0, 0, 0}), SampleOf({1, 1, 1, 1}), kUnit, 0);
  CHECK(four.state == GateState::kCannotTell);
  CHECK(GateSentence(four, *four.paired.p) ==
        "Cannot tell: −100 points (95 %: −100 to −31) on 4 cases; fewer than 5 cases cannot show a "
        "regression.");
  CHECK(ClustersForGate(1) == 5);
  CHECK(ClustersForGate(2) == 6);
  // Two gates of five lost cases each: 2 / 2^5 is more than 0.05.
  CHECK(GateStateOf(all, 2 * *all.paired.p, 2) == GateState::kCannotTell);
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

TEST_CASE("labels that agree everywhere invent no bias") {
  // What differs by rounding alone is no bias.
  const double labels[] = {0.8, 0.3, 0.6};
  const double judged[] = {0.8, 0.1 + 0.2, 0.6};
  const LabelEstimate estimate = EstimateFromLabels({.labels = labels, .judged = judged, .unlabelled = {}});
  CHECK(estimate.bias == 0);
  CHECK_FALSE(estimate.bias_interval);
  CHECK(LabelSentence("", estimate).find("too") == LabelSentence("", estimate).find("too few"));
}

TEST_CASE("under six cases no difference is promised") {
  CHECK_FALSE(SmallestDifferenceSeen(0.35, 5));
  CHECK(PowerSentence(5, {}) == "5 cases show no difference; at least 6 are needed.");
  CHECK(CasesNeeded(0.05, 0.9) == 6);
}

TEST_CASE("passes of k tries in one sentence") {
  const PassCount counts[] = {{5, 5}, {5, 3}, {5, 0}, {5, 4}};
  CHECK(PassSentence(EstimatePasses(counts, 2, {}), 2) ==
        "Passes at least once in 2 tries: 73 %; in both: 48 %; 2 of 4 cases are flaky.");
}

TEST_CASE("a suite of 40 cases sees 16 points, and 5 points need 387") {
  CHECK(SmallestDifferenceSeen(0.35, 40) == doctest::Approx(0.16).epsilon(0.01));
  CHECK(CasesNeeded(0.35, 0.05) == 387);
  CHECK_FALSE(CasesNeeded(0.35, 1e-6));
}

TEST_CASE("judges agree, labels correct them, and the spread has its parts") {
  const std::vector<VoteUnit> units = {
      {{0, .25, .25}, 0}, {{1, 1, .875}, 1}, {{.5, .75, .5}, 2}, {{1, 1, 1}, 3}, {{.125, 0, .25}, 4}};
  CHECK(*EstimateAgreement(units).alpha == doctest::Approx(0.921).epsilon(0.001));
  const std::vector<std::vector<double>> cases = {{1, .8}, {.4, .6}, {.9, .9}, {.2, .5}};
  const SpreadParts parts = SplitSpread(cases, 0.004);
  CHECK(*parts.of_case == doctest::Approx(0.87).epsilon(0.01));
  const double labels[] = {1, 0, 0.5, 1};
  const double judged[] = {0.9, 0.2, 0.5, 0.7};
  CHECK(*EstimateFromLabels({.labels = labels, .judged = judged, .unlabelled = {}}).estimate == 0.625);
}

TEST_CASE("the generator gives the same draws everywhere") {
  CHECK(CounterRandom("alpha", 0).key() == 0x7e5a5026a94b5389U);
  CHECK(CounterRandom("alpha", 0).At(0) == 0x2aa2f80e278c5551U);
  CHECK(CounterRandom("mean", 3).Below(7, 5) < 7);
}

}  // namespace
}  // namespace assay
