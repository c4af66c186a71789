// Tests of pairs and gates that end early.
#include "statistics/sequential/pair.h"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <random>
#include <set>

#include "statistics/decisions/paired.h"
#include "statistics/sample_test.h"
#include "statistics/sequential/gate.h"
#include "statistics/sequential/order.h"

namespace assay {
namespace {

// Scores in ninths around `level`; cases without a score by `missing` of a hundred.
Sample DrawnSample(std::size_t cases, double level, std::uint64_t seed, std::uint64_t missing = 0) {
  std::mt19937_64 dice(seed);
  Sample sample;
  for (std::size_t i = 0; i < cases; ++i) {
    const double drawn = level + static_cast<double>(dice() % 10) / 9 - 0.5;
    const double score = std::min(1.0, std::max(0.0, drawn));
    if (dice() % 100 < missing) {
      sample.Add({});
    } else {
      sample.Add(std::span(&score, 1));
    }
  }
  return sample;
}

constexpr PairQuestion kWorldQuestion = {.promise = Promise::kWorld};

TEST_CASE("a pair turned about is the same pair with another sign") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Sample a = DrawnSample(120, 0.5, seed, 3);
    const Sample b = DrawnSample(120, 0.35, seed + 100, 3);
    const UnitTable table(120, testing::kUnit);
    const PairLook look = LookAtPair(table, a.cases, b.cases, kWorldQuestion, 60);
    const PairLook turned = LookAtPair(table, b.cases, a.cases, kWorldQuestion, 60);
    CHECK(turned.mean == doctest::Approx(-look.mean));
    CHECK(turned.left_out == look.left_out);
    CHECK((look.state == PairState::kLeads) == (turned.state == PairState::kTrails));
    CHECK((look.state == PairState::kTie) == (turned.state == PairState::kTie));
    const PairBounds bounds = BoundsOfPair(table, a.cases, b.cases, kWorldQuestion, 60);
    const PairBounds others = BoundsOfPair(table, b.cases, a.cases, kWorldQuestion, 60);
    CHECK(others.suite.low == doctest::Approx(-bounds.suite.high).epsilon(1e-10));
    CHECK(others.world.high == doctest::Approx(-bounds.world.low).epsilon(1e-10));
    CHECK(*others.square_low == doctest::Approx(*bounds.square_low).epsilon(1e-10));
  }
}

TEST_CASE("a look depends on the units before it alone, whatever was looked at before and comes after") {
  Sample a = DrawnSample(80, 0.5, 1);
  const Sample b = DrawnSample(80, 0.45, 2);
  const UnitTable table(80, testing::kUnit);
  const PairBounds before = BoundsOfPair(table, a.cases, b.cases, kWorldQuestion, 40);
  LookAtPair(table, a.cases, b.cases, kWorldQuestion, 70);
  for (std::size_t i = 40; i < 80; ++i) a.cases[i].value = 1 - a.cases[i].value;
  const PairBounds after = BoundsOfPair(table, a.cases, b.cases, kWorldQuestion, 40);
  CHECK(after.suite.low == before.suite.low);
  CHECK(after.suite.high == before.suite.high);
  CHECK(after.world.low == before.world.low);
  CHECK(after.square_low == before.square_low);
}

TEST_CASE("the state is what the bounds say") {
  std::set<PairState> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Sample a = DrawnSample(200, 0.5, seed);
    const Sample b = DrawnSample(200, 0.5 - static_cast<double>(seed % 4) / 15, seed + 100);
    const UnitTable table(200, testing::kUnit);
    PairQuestion question = kWorldQuestion;
    question.within = 0.1;
    for (const std::uint64_t n : {10, 60, 120, 190}) {
      const PairState state = LookAtPair(table, a.cases, b.cases, question, n).state;
      const PairBounds bounds = BoundsOfPair(table, a.cases, b.cases, question, n);
      const double down = std::min(bounds.suite.low, bounds.world.low);
      const double up = std::max(bounds.suite.high, bounds.world.high);
      // t(0.975, 199)
      const double t = 1.971956544249395;
      const double k = t * std::sqrt(*bounds.square_low / (199 + t * t));
      const PairState wanted = down > 0                                         ? PairState::kLeads
                               : up < 0                                         ? PairState::kTrails
                               : down > -0.1 && up < 0.1                        ? PairState::kEqual
                               : -k < bounds.suite.low && bounds.suite.high < k ? PairState::kTie
                                                                                : PairState::kOpen;
      CHECK(state == wanted);
      seen.insert(state);
    }
  }
  CHECK(seen.size() >= 3);
}

TEST_CASE("where a tie ends it, the whole suite shows no difference") {
  std::size_t ties = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Sample a = DrawnSample(150, 0.5, seed);
    const Sample b = DrawnSample(150, 0.5, seed + 1000);
    const UnitTable table(150, testing::kUnit);
    const PairCourse course = FollowPair(table, a.cases, b.cases, kWorldQuestion, LookPlaces(150));
    if (course.state != PairState::kTie) continue;
    ++ties;
    const PairedEstimate whole = ComparePaired(a, b, testing::kUnit);
    CHECK(VerdictOf(whole, *whole.p) == Verdict::kTie);
  }
  CHECK(ties > 10);
}

TEST_CASE("of every order of eight differences at most one in twenty is called for the wrong side") {
  std::map<std::array<int, 3>, std::array<int, 2>> errors;  // by population: orders, wrong ones
  const UnitTable table(8, testing::kUnit);
  for (int code = 0; code < 6561; ++code) {
    Sample a;
    Sample b;
    std::array<int, 3> population = {};
    for (int i = 0, digits = code; i < 8; ++i, digits /= 3) {
      ++population[static_cast<std::size_t>(digits % 3)];
      const double better = digits % 3 == 2 ? 1 : 0;
      const double worse = digits % 3 == 0 ? 1 : 0;
      a.Add(std::span(&better, 1));
      b.Add(std::span(&worse, 1));
    }
    const int sum = population[2] - population[0];
    bool is_wrong = false;
    for (std::uint64_t n = 1; n < 8; ++n) {
      const PairState state = LookAtPair(table, a.cases, b.cases, {}, n).state;
      is_wrong =
          is_wrong || (state == PairState::kLeads && sum <= 0) || (state == PairState::kTrails && sum >= 0);
    }
    ++errors[population][0];
    errors[population][1] += is_wrong ? 1 : 0;
  }
  for (const auto& [population, counts] : errors) CHECK(counts[1] <= 0.05 * counts[0]);
}

TEST_CASE("scaled scores and weights decide at the same look") {
  const Sample a = DrawnSample(150, 0.6, 3);
  const Sample b = DrawnSample(150, 0.45, 4);
  Sample tens_a = a;
  Sample tens_b = b;
  for (std::size_t i = 0; i < 150; ++i) {
    tens_a.cases[i].value = 10 * a.cases[i].value - 2;
    tens_b.cases[i].value = 10 * b.cases[i].value - 2;
  }
  const std::vector<double> weights(150, 4);
  const UnitTable table(150, testing::kUnit);
  const UnitTable tens(150, {.weights = weights, .range = ScoreRange{-2, 8}});
  for (const double margin : {0.0, -0.05}) {
    const PairQuestion question = {.margin = margin};
    const PairQuestion scaled = {.margin = 10 * margin};
    const PairCourse course = FollowPair(table, a.cases, b.cases, question, LookPlaces(150));
    const PairCourse other = FollowPair(tens, tens_a.cases, tens_b.cases, scaled, LookPlaces(150));
    CHECK(course.n == other.n);
    CHECK(course.state == other.state);
    CHECK(BoundsOfPair(tens, tens_a.cases, tens_b.cases, scaled, 50).suite.low ==
          doctest::Approx(10 * BoundsOfPair(table, a.cases, b.cases, question, 50).suite.low));
  }
}

TEST_CASE("a pair with more than a tenth left out is held, and one with a tenth is not") {
  Sample a = testing::SampleOf({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  const Sample b = testing::SampleOf({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const UnitTable table(12, testing::kUnit);
  a.cases[3] = {};
  CHECK(LookAtPair(table, a.cases, b.cases, {}, 10).state == PairState::kLeads);
  CHECK(LookAtPair(table, a.cases, b.cases, {}, 9).state == PairState::kHeld);
  CHECK_FALSE(IsDecided(PairState::kHeld));
}

TEST_CASE("a gate passes early where nothing fell, and is red early where all fell") {
  const Sample base = DrawnSample(200, 0.6, 8);
  const UnitTable table(200, testing::kUnit);
  const PairQuestion gate = GateQuestion(0.1, 1);
  const PairCourse same = FollowPair(table, base.cases, base.cases, gate, LookPlaces(200));
  CHECK(same.state == PairState::kNone);
  CHECK(same.n < 200);
  const Sample fallen = DrawnSample(200, 0.1, 9);
  const PairCourse red = FollowPair(table, fallen.cases, base.cases, gate, LookPlaces(200));
  CHECK(red.state == PairState::kRegression);
  CHECK(TestRegression(fallen, base, testing::kUnit, 0.1).state == GateState::kRegression);
  const Interval limits = WithoutMargin({-0.25, 0.05}, 0.1);
  CHECK(limits.low == doctest::Approx(-0.35));
  CHECK(limits.high == doctest::Approx(-0.05));
}

TEST_CASE("more gates need more cases") {
  const Sample base = DrawnSample(200, 0.6, 8);
  const Sample fallen = DrawnSample(200, 0.25, 9);
  const UnitTable table(200, testing::kUnit);
  std::uint64_t before = 0;
  for (const std::size_t gates : {1, 10, 1000}) {
    const PairCourse course =
        FollowPair(table, fallen.cases, base.cases, GateQuestion(0, gates), LookPlaces(200));
    CHECK(course.n >= before);
    before = course.n;
  }
}

TEST_CASE("every state has a name of its own") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(PairState::kAll); ++i)
    names.insert(PairStateName(static_cast<PairState>(i)));
  CHECK(names.size() == 9);
  CHECK(PairStateName(PairState::kRegression) == "regression");
  CHECK(PairStateName(PairState::kAll) == "all");
}

}  // namespace
}  // namespace assay
