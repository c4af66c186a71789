// Tests which suites may be asked which questions, and that looks depend on scores and order alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "report/decide/until/stop_course.h"
#include "report/decide/until/until_forecast.h"
#include "report/decide/until/until_run.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

Suite AskedSuite(std::size_t cases, const std::vector<std::string>& variants) {
  Suite suite;
  suite.id = "until";
  for (std::size_t i = 0; i < cases; ++i) {
    Case one;
    one.id = "case-" + std::to_string(i);
    Turn turn;
    turn.text = "Question " + std::to_string(i);
    one.turns = {turn};
    suite.cases.push_back(std::move(one));
  }
  for (const std::string& name : variants) {
    Variant variant;
    variant.id = variant.model_id = name;
    variant.provider = "echo";
    variant.model = name.substr(name.find(':') + 1);
    suite.variants.push_back(std::move(variant));
  }
  return suite;
}

RunSpec Asking(std::vector<std::string> questions) {
  RunSpec spec;
  spec.until = std::move(questions);
  return spec;
}

StopRule RuleOf(const Suite& suite, const RunSpec& spec) {
  Result<std::optional<StopRule>> rule = StopRuleOf(suite, spec);
  REQUIRE(rule.has_value());
  REQUIRE(rule->has_value());
  return **std::move(rule);
}

// The first variant is right in nine of ten cases, each other one in four of ten.
CellOutcome OutcomeAt(CaseIndex i, VariantIndex v) {
  const bool is_right = v == 0 ? i % 10 != 0 : (i * 7 + v) % 10 < 4;
  return {.state = CellState::kScored, .value = is_right ? 1.0 : 0.0};
}

std::string RefusalOf(const Suite& suite, const RunSpec& spec) {
  const auto rule = StopRuleOf(suite, spec);
  return rule ? std::string() : rule.error().message;
}

bool NobodyGivenUp(VariantIndex) { return false; }

TEST_CASE("a spec without a question has no rule") {
  const auto rule = StopRuleOf(AskedSuite(20, {"echo:a"}), RunSpec());
  REQUIRE(rule.has_value());
  CHECK(!rule->has_value());
}

TEST_CASE("what a suite cannot be asked is refused, and why") {
  const Suite pair = AskedSuite(20, {"echo:a", "echo:b"});
  CHECK(RefusalOf(AskedSuite(20, {"echo:a"}), Asking({"decided"})) ==
        "--until decided: the run has one variant; for one variant: --until ±5");
  CHECK(RefusalOf(pair, Asking({"echo:a>echo:c"})).find("which variant echo:c is") != std::string::npos);
  CHECK(RefusalOf(pair, Asking({"echo:a>echo:a"})).find("with itself") != std::string::npos);
  RunSpec within = Asking({"echo:a>echo:b+3"});
  within.within = 2;
  CHECK(RefusalOf(pair, within).find("--within") != std::string::npos);
  RunSpec world = Asking({"±5"});
  world.promise = "world";
  CHECK(RefusalOf(pair, world).find("--promise world") != std::string::npos);
  Suite endless = pair;
  endless.score_bounds.are_known = false;
  CHECK(RefusalOf(endless, Asking({"decided"})).find("without a range") != std::string::npos);
}

TEST_CASE("questions are bound to variants by parts of their names, with margins in scores") {
  const Suite suite = AskedSuite(40, {"echo:alder", "echo:birch"});
  const StopRule rule = RuleOf(suite, Asking({"birch>alder+3", "±5"}));
  REQUIRE(rule.questions.size() == 3);
  CHECK(rule.questions[0].a == 1);
  CHECK(rule.questions[0].b == 0);
  CHECK(rule.questions[0].pair.margin == doctest::Approx(-0.03));
  CHECK(rule.questions[2].half == doctest::Approx(0.05));
  CHECK(rule.batch == 10);
  CHECK(rule.places == std::vector<std::uint64_t>{10, 20, 30});
}

TEST_CASE("cases of one cluster are one unit, and a case without weight is none") {
  Suite suite = AskedSuite(30, {"echo:a", "echo:b"});
  for (std::size_t i = 0; i < 6; ++i) suite.cases[i].cluster = std::string("together");
  suite.cases[29].weight = 0;
  const StopRule rule = RuleOf(suite, Asking({"decided"}));
  CHECK(rule.table.units() == 24);
  CHECK(rule.table.cases() == 29);
}

TEST_CASE("the order of asking depends on the seed alone") {
  const Suite suite = AskedSuite(50, {"echo:a", "echo:b"});
  const auto order = [&suite](const std::string& seed) {
    RunSpec spec = Asking({"decided"});
    spec.order_seed = seed;
    const StopRule rule = RuleOf(suite, spec);
    return std::vector<std::uint32_t>(rule.table.order().begin(), rule.table.order().end());
  };
  CHECK(order("") == order("0"));
  CHECK(order("0") != order("1"));
}

TEST_CASE("answers may come in any order: the looks are the same") {
  const Suite suite = AskedSuite(120, {"echo:a", "echo:b", "echo:c"});
  const StopRule rule = RuleOf(suite, Asking({"decided", "echo:b>echo:c", "±15"}));
  std::vector<CellAddress> cells;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    for (VariantIndex v = 0; v < 3; ++v) cells.push_back({.case_index = i, .variant = v, .attempt = 0});
  }
  StopScores at_once(suite);
  for (const CellAddress& cell : cells) at_once.Take(cell, OutcomeAt(cell.case_index, cell.variant));
  StopCourse expected(rule);
  expected.Follow(at_once, NobodyGivenUp);
  REQUIRE(expected.is_closed());
  CHECK(expected.questions()[0].race->end() == RaceEnd::kFirst);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::shuffle(cells.begin(), cells.end(), std::mt19937(seed));
    StopScores scores(suite);
    StopCourse course(rule);
    for (const CellAddress& cell : cells) {
      scores.Take(cell, OutcomeAt(cell.case_index, cell.variant));
      course.Follow(scores, NobodyGivenUp);
    }
    REQUIRE(course.is_closed());
    for (std::size_t q = 0; q < course.questions().size(); ++q) {
      CHECK(course.questions()[q].n() == expected.questions()[q].n());
      CHECK(course.questions()[q].looks() == expected.questions()[q].looks());
    }
  }
}

TEST_CASE("a look waits for every attempt of every variant that is asked") {
  Suite suite = AskedSuite(30, {"echo:a", "echo:b"});
  suite.attempts = 2;
  const StopRule rule = RuleOf(suite, Asking({"decided"}));
  StopScores scores(suite);
  StopCourse course(rule);
  for (std::uint64_t at = 0; at < 10; ++at) {
    const CaseIndex index = rule.table.order()[at];
    for (const VariantIndex v : {0u, 1u}) {
      for (const AttemptIndex attempt : {1u, 0u}) {
        if (at == 4 && v == 1 && attempt == 0) continue;
        scores.Take({.case_index = index, .variant = v, .attempt = attempt}, OutcomeAt(index, v));
      }
    }
  }
  course.Follow(scores, NobodyGivenUp);
  CHECK(course.questions()[0].looks() == 0);
  const CaseIndex index = rule.table.order()[4];
  scores.Take({.case_index = index, .variant = 1, .attempt = 0}, {.state = CellState::kError});
  course.Follow(scores, NobodyGivenUp);
  CHECK(course.questions()[0].looks() == 1);
  CHECK(course.next() == (course.is_closed() ? 30 : 20));
}

TEST_CASE("a variant that is given up leaves the race; cases that are cut for other reasons stay open") {
  const Suite suite = AskedSuite(40, {"echo:a", "echo:b", "echo:c"});
  const StopRule rule = RuleOf(suite, Asking({"decided"}));
  StopScores scores(suite);
  for (std::uint64_t at = 0; at < 40; ++at) {
    const CaseIndex index = rule.table.order()[at];
    scores.Take({.case_index = index, .variant = 0, .attempt = 0}, OutcomeAt(index, 0));
    scores.Take({.case_index = index, .variant = 1, .attempt = 0}, OutcomeAt(index, 0));
    const CellOutcome failed{.state = at < 3 ? CellState::kError : CellState::kSkipped};
    scores.Take({.case_index = index, .variant = 2, .attempt = 0}, failed);
  }
  StopCourse open(rule);
  open.Follow(scores, NobodyGivenUp);
  CHECK(!open.is_closed());
  StopCourse course(rule);
  course.Follow(scores, [](VariantIndex v) { return v == 2; });
  REQUIRE(course.is_closed());
  const Race& race = *course.questions()[0].race;
  REQUIRE(race.dropped().size() == 1);
  CHECK(race.dropped()[0].variant == 2);
  CHECK(race.dropped()[0].after == 3);
  CHECK(!race.dropped()[0].by);
  CHECK(race.end() == RaceEnd::kAll);
}

TEST_CASE("a run that was graded again says that it would not be decided so early") {
  const Suite suite = AskedSuite(400, {"echo:a", "echo:b"});
  const StopRule rule = RuleOf(suite, Asking({"decided"}));
  // As far as it was asked; with the new scores both are alike.
  const auto graded = [&](std::uint64_t asked, bool are_alike) {
    UntilGatherer gatherer(suite, rule, "decided", {});
    for (std::uint64_t at = 0; at < suite.cases.size(); ++at) {
      for (const VariantIndex v : {0u, 1u}) {
        Cell cell;
        cell.case_index = rule.table.order()[at];
        cell.variant = v;
        cell.state = at < asked ? CellState::kScored : CellState::kSkipped;
        cell.score = are_alike || v == 0 ? 1 : 0;
        REQUIRE(gatherer.Add(cell).has_value());
      }
    }
    return gatherer.Finish(0);
  };
  const auto alike = graded(310, true);
  const Standings standings;
  CHECK(UntilSentence(*alike, alike->course.questions()[0], standings) ==
        "With the new scores this would not be decided after 310 cases.");
  CHECK(AskedPartText(*alike) == "310 of 400 cases (stopped: decided)");
  const auto apart = graded(310, false);
  CHECK(UntilSentence(*apart, apart->course.questions()[0], standings)
            .starts_with("echo:a is first on this suite: with 95 % certainty"));
  // All of it was asked meanwhile: nothing of this.
  CHECK(AskedPartText(*graded(400, true)).empty());
}

// The base of AskedSuite(cases, …), in which every case has this score but those that `lacks`.
StopGate RegressionGate(std::size_t cases, double score, std::size_t lacks = 0) {
  StopGate gate{.kind = StopGate::Kind::kRegression, .limit = 0.02, .text = "0.02", .base = "run-0"};
  for (CaseIndex i = static_cast<CaseIndex>(lacks); i < cases; ++i) {
    gate.cases.push_back(i);
    gate.values.push_back(score);
    gate.scored.push_back(1);
  }
  return gate;
}

StopRule GatedRule(const Suite& suite, const RunSpec& spec, const std::vector<StopGate>& gates) {
  Result<std::optional<StopRule>> rule = StopRuleOf(suite, spec, std::span<const StopGate>(gates));
  REQUIRE(rule.has_value());
  REQUIRE(rule->has_value());
  return **std::move(rule);
}

TEST_CASE("of a gate alone only what its base has is asked first, in an order of the base's own") {
  const Suite suite = AskedSuite(100, {"echo:a"});
  const StopRule rule = GatedRule(suite, Asking({"gate"}), {RegressionGate(100, 1, 40)});
  CHECK(rule.table.cases() == 60);
  CHECK(rule.asking.size() == 100);
  CHECK(rule.seed == "run-0");
  CHECK(std::all_of(rule.asking.begin(), rule.asking.begin() + 60, [](auto index) { return index >= 40; }));
  const BoundQuestion& gate = rule.questions.front();
  CHECK(gate.pair.promise == Promise::kWorld);
  CHECK(gate.cases->places.front() == 10);
  CHECK(gate.cases->until.back() == 60);
  // Beside a race, whose cases stand in an order of chance, it takes its cases as they come.
  const Suite pair = AskedSuite(100, {"echo:a", "echo:b"});
  const StopRule both = GatedRule(pair, Asking({"decided", "gate"}), {RegressionGate(100, 1, 40)});
  CHECK(both.table.cases() == 100);
  CHECK(both.questions.size() == 2);
  CHECK(both.questions.back().cases->table.cases() == 60);
  CHECK(both.questions.back().cases->until.back() > 60);
}

TEST_CASE("a gate ends with a fall, or when there is none, and what is left is asked of nobody") {
  const Suite suite = AskedSuite(200, {"echo:a"});
  for (const bool has_fallen : {true, false}) {
    CAPTURE(has_fallen);
    const StopRule rule = GatedRule(suite, Asking({"gate"}), {RegressionGate(200, has_fallen ? 1 : 0)});
    StopScores scores(suite);
    StopCourse course(rule);
    std::uint64_t place = 0;
    for (; place < 200 && !course.is_closed(); ++place) {
      CHECK(course.IsAsked(place, 0));
      const CaseIndex index = rule.asking[place];
      scores.Take({.case_index = index, .variant = 0, .attempt = 0},
                  {.state = CellState::kScored, .value = index % 2 == 0 ? 1.0 : 0.0});
      course.Follow(scores, NobodyGivenUp);
    }
    CHECK(place < 100);
    CHECK(course.IsEarly());
    CHECK(course.questions()[0].HasFailed() == has_fallen);
    CHECK(!course.IsAsked(place, 0));
  }
}

TEST_CASE("the digest of a base is that of its scores") {
  const Suite suite = AskedSuite(4, {"echo:a"});
  const std::vector<CaseValue> scores = {{.value = 1, .scored = 2}, {.value = 0.5, .scored = 1}, {}, {}};
  const std::string digest = DigestOfBase(suite, scores);
  CHECK(digest.size() == 16);
  const auto changed = [&](std::size_t at, const CaseValue& score) {
    std::vector<CaseValue> others = scores;
    others[at] = score;
    return DigestOfBase(suite, others) != digest;
  };
  CHECK(changed(0, {.value = 0.75, .scored = 2}));
  CHECK(changed(0, {.value = 1, .scored = 1}));
  CHECK(changed(0, {}));
  CHECK(changed(2, {.value = 0, .scored = 1}));
  CHECK(!changed(2, {.value = 0.25, .scored = 0}));
}

TEST_CASE("gates of another suite are no gates of a run") {
  const Suite suite = AskedSuite(20, {"echo:a"});
  const auto is_refused = [&suite](const StopGate& gate) {
    const std::vector<StopGate> gates = {gate};
    return !StopRuleOf(suite, Asking({"gate"}), std::span<const StopGate>(gates)).has_value();
  };
  CHECK(!is_refused(RegressionGate(20, 1)));
  CHECK(is_refused(RegressionGate(21, 1)));
  CHECK(is_refused(RegressionGate(20, 1.5)));
  StopGate gate = RegressionGate(20, 1);
  gate.values.pop_back();
  CHECK(is_refused(gate));
  gate = RegressionGate(20, 1);
  std::swap(gate.cases[3], gate.cases[4]);
  CHECK(is_refused(gate));
  gate = RegressionGate(20, 1);
  gate.variant = 1;
  CHECK(is_refused(gate));
  gate.variant = 0;
  gate.gates = 0;
  CHECK(is_refused(gate));
}

TEST_CASE("larger gaps take fewer cases, and a race less than all of its cells") {
  const Suite suite = AskedSuite(1000, {"echo:a", "echo:b", "echo:c"});
  const std::vector<UntilForecast> forecasts = ForecastsOf(RuleOf(suite, Asking({"decided"})), 0.5);
  REQUIRE(forecasts.size() == 4);
  for (std::size_t i = 1; i < forecasts.size(); ++i) {
    CHECK(forecasts[i].median < forecasts[i - 1].median);
    CHECK(forecasts[i].median <= forecasts[i].most);
    CHECK(forecasts[i].share_median < 1);
  }
  CHECK(ForecastsOf(RuleOf(suite, Asking({"±5"})), 0.5).empty());
}

}  // namespace
}  // namespace assay
