// Tests of paired comparisons and gates: by the interval and by the signs.
#include "statistics/decisions/paired.h"

#include <doctest/doctest.h>

#include "statistics/sample_test.h"

namespace assay {
namespace {

using testing::kUnit;
using testing::SampleOf;

TEST_CASE("what is turned about is the same difference with another sign") {
  const Sample a = SampleOf({.9, .8, 1, .7, .95, .6, .85, 1, .75, .9});
  const Sample b = SampleOf({.7, .8, .9, .6, .9, .65, .7, .95, .6, .85});
  const PairedEstimate estimate = ComparePaired(a, b, kUnit);
  CHECK(*estimate.p == doctest::Approx(10.0 / 512));
  CHECK(*estimate.difference == doctest::Approx(0.08));
  CHECK(VerdictOf(estimate, *estimate.p) == Verdict::kLeads);
  const PairedEstimate turned = ComparePaired(b, a, kUnit);
  CHECK(*turned.difference == -*estimate.difference);
  CHECK(turned.interval->low == -estimate.interval->high);
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

TEST_CASE("a small drop is no regression, and a gate without a pair is not defined") {
  const Sample fresh = SampleOf({.5, .6, .7, .8, .9, .4});
  const Sample base = SampleOf({.55, .6, .65, .85, .9, .4});
  const GateEstimate gate = TestRegression(fresh, base, kUnit, 0);
  CHECK(gate.state == GateState::kNone);
  const GateEstimate none = TestRegression(SampleOf({}), SampleOf({}), kUnit, 0);
  CHECK(none.state == GateState::kNotDefined);
}

TEST_CASE("five lost cases are a regression, four are too few to tell, and more gates need more cases") {
  const GateEstimate all = TestRegression(SampleOf({0, 0, 0, 0, 0}), SampleOf({1, 1, 1, 1, 1}), kUnit, 0);
  CHECK(all.state == GateState::kRegression);
  const GateEstimate four = TestRegression(SampleOf({0, 0, 0, 0}), SampleOf({1, 1, 1, 1}), kUnit, 0);
  CHECK(four.state == GateState::kCannotTell);
  CHECK(ClustersForGate(1) == 5);
  CHECK(ClustersForGate(2) == 6);
  // Two gates of five lost cases each: 2 / 2^5 is more than 0.05.
  CHECK(GateStateOf(all, 2 * *all.paired.p, 2) == GateState::kCannotTell);
}

TEST_CASE("only cases that both have a score for are compared") {
  Sample a = SampleOf({1, 0, 1});
  Sample b = SampleOf({1});
  b.cases.resize(3);
  const PairedEstimate estimate = ComparePaired(a, b, kUnit);
  CHECK(estimate.cases == 1);
  CHECK(estimate.only_a == 2);
  CHECK(estimate.only_b == 0);
  CHECK(VerdictOf(estimate, *estimate.p) == Verdict::kTie);
  CHECK(VerdictOf(ComparePaired(SampleOf({}), SampleOf({}), kUnit), 0) == Verdict::kNotDefined);
}

TEST_CASE("a margin forgives a drop of its size") {
  const Sample base = SampleOf({1, 1, 1, 1, 1, 1, 1, 1});
  const Sample fresh = SampleOf({.9, .9, .9, .9, .9, .9, .9, .9});
  CHECK(TestRegression(fresh, base, kUnit, 0).state == GateState::kRegression);
  CHECK(TestRegression(fresh, base, kUnit, 0.1).state == GateState::kNone);
  CHECK(TestRegression(fresh, base, kUnit, 0.05).have_all_fallen);
}

TEST_CASE("every method, verdict and state has a name of its own") {
  CHECK(SignMethodName(SignMethod::kSame) == "none");
  CHECK(SignMethodName(SignMethod::kStudent) == "t");
  CHECK(VerdictName(Verdict::kLeads) != VerdictName(Verdict::kTrails));
  CHECK(GateStateName(GateState::kCannotTell) == "cannot_tell");
}

}  // namespace
}  // namespace assay
