// Tests of races: who is dropped, how they end, and what they do not depend on.
#include "statistics/sequential/race.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "statistics/sample_test.h"
#include "statistics/sequential/order.h"

namespace assay {
namespace {

// Variants that score `gap` less each than the one before, on the same easy and hard cases.
std::vector<Sample> DrawnVariants(std::size_t variants, std::size_t cases, double gap, std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  const auto drawn = [&dice] { return static_cast<double>(dice() % 1000) / 1000; };
  std::vector<Sample> samples(variants);
  for (std::size_t i = 0; i < cases; ++i) {
    const double ease = drawn();
    for (std::size_t v = 0; v < variants; ++v) {
      const double level = 0.3 + 0.4 * ease + 0.3 * drawn() - gap * static_cast<double>(v);
      const double score = std::min(1.0, std::max(0.0, level));
      samples[v].Add(std::span(&score, 1));
    }
  }
  return samples;
}

double MeanOfCases(const Sample& sample) {
  double sum = 0;
  for (const CaseValue& value : sample.cases) sum += value.value;
  return sum / static_cast<double>(sample.cases.size());
}

TEST_CASE("the winner of a race is first on the whole suite") {
  std::size_t early = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<Sample> samples = DrawnVariants(5, 150, 0.02, seed);
    const UnitTable table(150, testing::kUnit);
    const Race race = FollowRace(table, samples, {}, LookPlaces(150));
    if (race.end() != RaceEnd::kFirst) continue;
    early += race.n() < 150 ? 1 : 0;
    const std::vector<std::size_t> left = race.in_race();
    REQUIRE(left.size() == 1);
    for (const Sample& sample : samples)
      CHECK(MeanOfCases(samples[left.front()]) >= MeanOfCases(sample) - 1e-12);
  }
  CHECK(early > 10);
}

TEST_CASE("variants that stand in another order race the same race under other numbers") {
  const std::size_t turned[] = {3, 0, 4, 2, 1};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Sample> samples = DrawnVariants(5, 120, 0.03, seed);
    std::vector<Sample> others;
    for (const std::size_t variant : turned) others.push_back(samples[variant]);
    const UnitTable table(120, testing::kUnit);
    const RaceQuestion question = {.promise = Promise::kWorld, .within = 0.05};
    const Race race = FollowRace(table, samples, question, LookPlaces(120));
    const Race other = FollowRace(table, others, question, LookPlaces(120));
    CHECK(race.n() == other.n());
    CHECK(race.end() == other.end());
    REQUIRE(race.looks().size() == other.looks().size());
    for (std::size_t i = 0; i < race.looks().size(); ++i)
      CHECK(race.looks()[i].leader == turned[other.looks()[i].leader]);
    for (std::size_t i = 0; i < 5; ++i) CHECK(race.UnitsAsked(turned[i]) == other.UnitsAsked(i));
  }
}

TEST_CASE("a race that is looked at again from its scores is the same, with what is not asked left open") {
  std::vector<Sample> samples = DrawnVariants(4, 200, 0.04, 7);
  const UnitTable table(200, testing::kUnit);
  const std::vector<std::uint64_t> places = LookPlaces(200);
  const Race whole = FollowRace(table, samples, {}, places);
  Race race(table, 4, {});
  for (const std::uint64_t n : places) {
    // Nobody has asked more: later cases have no score, nor have those of variants that were dropped.
    std::vector<Sample> asked = samples;
    for (std::size_t v = 0; v < 4; ++v) {
      const std::uint64_t end = race.IsInRace(v) ? n : race.UnitsAsked(v);
      for (std::size_t i = end; i < 200; ++i) asked[v].cases[i] = {};
    }
    race.Look(n, asked);
  }
  race.Finish();
  CHECK(race.n() == whole.n());
  CHECK(race.end() == whole.end());
  REQUIRE(race.dropped().size() == whole.dropped().size());
  for (std::size_t i = 0; i < race.dropped().size(); ++i) {
    CHECK(race.dropped()[i].variant == whole.dropped()[i].variant);
    CHECK(race.dropped()[i].after == whole.dropped()[i].after);
    CHECK(race.dropped()[i].by == whole.dropped()[i].by);
  }
}

TEST_CASE("equal variants end a race where small differences are settled, and run to the end where not") {
  const std::vector<Sample> drawn = DrawnVariants(1, 100, 0, 3);
  const std::vector<Sample> samples(3, drawn.front());
  const UnitTable table(100, testing::kUnit);
  const Race settled = FollowRace(table, samples, {.within = 0.1}, LookPlaces(100));
  CHECK(settled.end() == RaceEnd::kEqual);
  CHECK(settled.in_race().size() == 3);
  CHECK(settled.looks().back().leader == 0);
  CHECK(settled.n() < 100);
  const Race open = FollowRace(table, samples, {}, LookPlaces(100));
  CHECK(open.end() == RaceEnd::kAll);
  CHECK(open.n() == 100);
  CHECK(open.UnitsAsked(1) == 100);
}

TEST_CASE("who is given up leaves the race unranked, and the others share the error as before") {
  const std::vector<Sample> samples = DrawnVariants(3, 100, 0.01, 2);
  const UnitTable table(100, testing::kUnit);
  Race race(table, 3, {});
  race.Look(10, samples);
  race.GiveUp(0, 12);
  race.GiveUp(0, 15);
  race.Look(20, samples);
  CHECK(race.pair_question().share == 2);
  CHECK(race.looks().back().pairs.size() == 1);
  CHECK(race.looks().back().leader != 0);
  REQUIRE(race.dropped().size() == 1);
  CHECK_FALSE(race.dropped().front().by);
  CHECK(race.UnitsAsked(0) == 12);
}

TEST_CASE("there is no look while nobody has a score, and none of one variant alone") {
  std::vector<Sample> samples(2);
  for (Sample& sample : samples) sample.cases.resize(30);
  const UnitTable table(30, testing::kUnit);
  Race race(table, 2, {});
  race.Look(10, samples);
  CHECK(race.looks().empty());
  CHECK(race.end() == RaceEnd::kOpen);
  const std::vector<Sample> alone = DrawnVariants(1, 30, 0, 1);
  const Race one = FollowRace(table, alone, {}, LookPlaces(30));
  CHECK(one.looks().empty());
  CHECK(one.end() == RaceEnd::kAll);
}

TEST_CASE("every end has a name of its own") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(RaceEnd::kAll); ++i)
    names.insert(RaceEndName(static_cast<RaceEnd>(i)));
  CHECK(names == std::set<std::string_view>{"open", "first", "equal", "tie", "all"});
}

}  // namespace
}  // namespace assay
