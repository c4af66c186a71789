// Tests of the sentences of runs that may end early, where the golden rows have no example.
#include "statistics/sequential/stop_sentences.h"

#include <doctest/doctest.h>

#include "statistics/sample_test.h"
#include "statistics/sequential/gate.h"

namespace assay {
namespace {

Sample Constant(std::size_t cases, double score) {
  Sample sample;
  for (std::size_t i = 0; i < cases; ++i) sample.Add(std::span(&score, 1));
  return sample;
}

const std::vector<std::string> kNames = {"Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch"};

TEST_CASE("a limit above 0 is never shown as 0, and both limits then have a decimal") {
  const std::vector<Sample> samples = {Constant(1'200, 1), Constant(1'200, 0)};
  const UnitTable table(1'200, testing::kUnit);
  Race race(table, 2, {});
  race.Look(12, samples);
  const auto sentence = [&](Interval suite, Interval world) {
    return RaceSentence(kNames, race, PairBounds{.suite = suite, .world = world});
  };
  CHECK(sentence({0.002, 0.17}, {-0.004, 0.2}) ==
        "Alder is first on this suite: with 95 % certainty the whole suite of 1,200 cases would say the "
        "same. It is "
        "ahead of Birch by 0.2 to 17.0 points there; on other cases of this kind that is not shown (0 to 20 "
        "points). "
        "12 of 1,200 cases were asked.");
  CHECK(sentence({0.0001, 0.17}, {0.0051, 0.2}).find("by 0.1 to 17.0 points there, and by 1 to 20 points") !=
        std::string::npos);
  CHECK(sentence({0.00001, 0.01}, {0.1, 0.2}).find("by 0.1 to 1.0 points there") != std::string::npos);
}

TEST_CASE("many that are equal, or were dropped before the end, are counted after three names") {
  std::vector<Sample> samples(7, Constant(100, 0.5));
  const UnitTable table(100, testing::kUnit);
  Race race(table, 7, {.within = 0.125});
  race.GiveUp(3, 4);
  for (const std::uint64_t n : {20, 40}) race.Look(n, samples);
  CHECK(race.end() == RaceEnd::kEqual);
  CHECK(RaceSentence(kNames, race, {}, true) ==
        "Birch, Cedar, Fir and 2 others differ from Alder by less than 12.5 points: with 95 % certainty all "
        "100 chosen "
        "cases would say the same. 40 of 100 cases were asked (Elm given up after 4).");
  Race all(table, 7, {});
  for (std::size_t v = 1; v < 7; ++v) all.GiveUp(v, 10 * v);
  all.Finish();
  CHECK(RaceSentence(kNames, all, {}) ==
        "All 100 cases were asked (Birch given up after 10, Cedar given up after 20, Elm given up after 30, "
        "3 others "
        "before).");
}

TEST_CASE("clusters are counted where they are fewer than cases, and what was asked in cases") {
  const std::vector<std::uint32_t> clusters = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
  const UnitTable table(12, {.clusters = clusters, .range = ScoreRange{0, 1}});
  const PairCourse course = {.looks = {}, .n = 5, .state = PairState::kTrails};
  CHECK(PairStopSentence("Alder", "Birch", table, {.margin = -0.01}, course) ==
        "Alder is not better than Birch by 1 point: with 95 % certainty the whole suite of 12 cases in 6 "
        "clusters "
        "would say the same. 10 of 12 cases were asked.");
  const PairCourse tie = {.looks = {}, .n = 5, .state = PairState::kTie};
  CHECK(PairStopSentence("Alder", "Birch", table, {.promise = Promise::kWorld, .margin = -0.03}, tie) ==
        "Whether Alder is better than Birch by 3 points is not shown, and with 95 % certainty the whole "
        "suite of 12 "
        "cases in 6 clusters would not show it either. 10 of 12 cases were asked.");
}

TEST_CASE("a gate shows the fall itself, without the margin") {
  const UnitTable table(40, testing::kUnit);
  const PairCourse red = {.looks = {}, .n = 20, .state = PairState::kRegression};
  const PairBounds bounds = {.suite = {-0.3, -0.1}, .world = {-0.4, -0.05}};
  CHECK(GateStopSentence(table, GateQuestion(0.025, 1), red, bounds) ==
        "Regression: with 95 % certainty it fell by more than 2.5 points on the whole suite of 40 cases (−33 "
        "to −13 "
        "points) and on cases of this kind (−43 to −8). 20 of 40 cases were asked.");
}

TEST_CASE("a plan counts in cases, and a gap of nothing has no sentence") {
  const Forecast forecast = {.median = 440, .most = 720};
  CHECK(ForecastSentence(0.05, forecast, 1'000, 2'000) ==
        "To tell 5 points apart takes about 880 of 2,000 cases (9 of 10 times at most 1,440).");
  CHECK(ForecastSentence(0.01, forecast, 720, 720) ==
        "To tell 1 point apart takes about 440 of 720 cases (1 of 10 times all of them).");
  CHECK(ForecastSentence(0.025, forecast, 440, 440) ==
        "2.5 points will hardly be told apart before all 440 cases are asked.");
  CHECK(ForecastSentence(0, forecast, 1'000, 1'000).empty());
}

TEST_CASE("one case is one case") {
  const UnitTable table(1, testing::kUnit);
  CHECK(LevelStopSentence("Alder", table, {.looks = {}, .n = 1}) == "All 1 case was asked.");
}

}  // namespace
}  // namespace assay
