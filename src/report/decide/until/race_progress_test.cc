// Tests what a run tells of itself while it goes on, and that its forecast comes true.
#include "report/decide/until/race_progress.h"

#include <doctest/doctest.h>

#include <random>

#include "spec/suite/suite.h"

namespace assay {
namespace {

constexpr std::size_t kRaceCases = 1000;

Suite RaceSuite(std::size_t variants) {
  Suite suite;
  suite.id = "race";
  suite.cases.resize(kRaceCases);
  for (std::size_t i = 0; i < kRaceCases; ++i) {
    suite.cases[i].id = "case-" + std::to_string(i);
    Turn turn;
    turn.text = "Question " + std::to_string(i);
    suite.cases[i].turns = {turn};
  }
  suite.variants.resize(variants);
  for (std::size_t v = 0; v < variants; ++v)
    suite.variants[v].id = suite.variants[v].model_id = "echo:" + std::to_string(v);
  return suite;
}

StopRule RaceRule(const Suite& suite, std::vector<std::string> questions, std::optional<double> within = {}) {
  RunSpec spec;
  spec.until = std::move(questions);
  spec.within = within;
  Result<std::optional<StopRule>> rule = StopRuleOf(suite, spec);
  REQUIRE(rule.has_value());
  return **std::move(rule);
}

// A run whose variants are right as often as `shares` says.
class Going {
 public:
  Going(const Suite& suite, const StopRule& rule, std::vector<double> shares)
      : rule_(rule), shares_(std::move(shares)), scores_(suite), course_(rule) {}

  void Ask(std::uint64_t cases) {
    for (; asked_ < cases; ++asked_) {
      for (VariantIndex v = 0; v < shares_.size(); ++v) {
        const bool is_right = std::uniform_real_distribution<>()(random_) < shares_[v];
        scores_.Take({.case_index = rule_.table.order()[asked_], .variant = v, .attempt = 0},
                     {.state = CellState::kScored, .value = is_right ? 1.0 : 0.0});
      }
    }
    course_.Follow(scores_, [](VariantIndex) { return false; });
  }
  std::string Text() { return progress_.Text(course_, scores_, asked_); }
  std::uint64_t Forecast() const { return ForecastOfRest(course_, scores_).value_or(0); }
  const StopCourse& course() const { return course_; }

 private:
  const StopRule& rule_;
  std::vector<double> shares_;
  StopScores scores_;
  StopCourse course_;
  RaceProgress progress_;
  std::mt19937 random_{3};
  std::uint64_t asked_ = 0;
};

TEST_CASE("a race tells who is in it, how far it is, and when it will be decided") {
  const Suite suite = RaceSuite(4);
  const StopRule rule = RaceRule(suite, {"decided"});
  Going run(suite, rule, {0.9, 0.85, 0.5, 0.2});
  CHECK(run.Text() == "4 of 4 in the race, 0 of 1,000 cases");
  run.Ask(100);
  CHECK(run.Text() == "2 of 4 in the race, 100 of 1,000 cases; decided after about 350");
  run.Ask(105);
  CHECK(run.Text() == "2 of 4 in the race, 105 of 1,000 cases; decided after about 350");
  run.Ask(kRaceCases);
  REQUIRE(run.course().is_closed());
  CHECK(run.Text() == "1 of 4 in the race, 1,000 of 1,000 cases");
}

TEST_CASE("the forecast is near the end that comes") {
  const Suite suite = RaceSuite(2);
  const StopRule rule = RaceRule(suite, {"decided"});
  for (const double gap : {0.1, 0.2, 0.3}) {
    Going run(suite, rule, {0.9, 0.9 - gap});
    std::vector<double> forecasts;
    for (std::uint64_t n = 10; !run.course().is_closed(); n += 10) {
      run.Ask(n);
      if (!run.course().is_closed()) forecasts.push_back(static_cast<double>(run.Forecast()));
    }
    const auto end = static_cast<double>(run.course().questions()[0].n());
    CHECK(forecasts.back() > 0.6 * end);
    CHECK(forecasts.back() < 1.6 * end);
  }
}

TEST_CASE("who are alike may take all cases, unless it is enough that they are alike") {
  const Suite suite = RaceSuite(2);
  const StopRule strict = RaceRule(suite, {"decided"});
  Going alike(suite, strict, {0.95, 0.95});
  alike.Ask(200);
  CHECK(alike.Text() == "2 of 2 in the race, 200 of 1,000 cases; it may take all of them");
  const StopRule within = RaceRule(suite, {"decided"}, 7);
  Going enough(suite, within, {0.95, 0.95});
  enough.Ask(100);
  CHECK(enough.Forecast() > 100);
  CHECK(enough.Forecast() < 700);
}

TEST_CASE("other questions have no race; a mean's forecast is that of its interval") {
  const Suite suite = RaceSuite(3);
  const StopRule pair = RaceRule(suite, {"echo:0>echo:1"});
  Going ahead(suite, pair, {0.9, 0.7, 0.5});
  ahead.Ask(20);
  CHECK(ahead.Text().starts_with("2 of 3 asked, 20 of 1,000 cases; decided after about "));
  const StopRule level = RaceRule(suite, {"±5"});
  Going mean(suite, level, {0.8, 0.8, 0.8});
  mean.Ask(50);
  const auto forecast = static_cast<double>(mean.Forecast());
  CHECK(mean.Text().starts_with("50 of 1,000 cases; decided after about "));
  for (std::uint64_t n = 60; !mean.course().is_closed(); n += 10) mean.Ask(n);
  double end = 0;
  for (const QuestionCourse& course : mean.course().questions())
    end = std::max(end, static_cast<double>(course.n()));
  CHECK(forecast > 0.7 * end);
  CHECK(forecast < 1.4 * end);
}

}  // namespace
}  // namespace assay
