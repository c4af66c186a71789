// Tests of gates: who got worse, and which cases flipped.
#include "report/decide/gates.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

// Of one attempt; below 0: an error.
Cell CellOf(CaseIndex index, AttemptIndex attempt, double value) {
  Cell cell;
  cell.case_index = index;
  cell.attempt = attempt;
  cell.state = value < 0 ? CellState::kError : CellState::kScored;
  cell.score = value;
  if (value >= 0) cell.record.scores = {Score::Of(value)};
  return cell;
}

// One variant, whose cases have one check each; by case the scores of its attempts.
struct GatedRun {
  using Attempts = std::vector<std::vector<double>>;
  Suite suite;
  CaseScores scores;
  PassCounts passes;

  explicit GatedRun(const std::vector<double>& values, std::string prefix = "c")
      : GatedRun(Each(values), std::move(prefix)) {}
  explicit GatedRun(const Attempts& values, std::string prefix = "c", std::string_view kind = "judge") {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Case& the_case = suite.cases.emplace_back();
      the_case.id = prefix + std::to_string(i);
      the_case.turns = {
          {.role = Role::kUser, .kind = TurnKind::kText, .text = "prompt of " + the_case.id, .span = {}}};
      Check& check = the_case.checks.emplace_back();
      check.text = "says it";
      check.kind = kind;
    }
    suite.variants.emplace_back().id = "a";
    scores.clusters = ClustersOf(suite.cases);
    scores.weights.assign(suite.cases.size(), 1);
    scores.range = ScoreRange{};
    Sample& sample = scores.samples.emplace_back();
    for (const std::vector<double>& attempts : values) {
      std::vector<double> scored = attempts;
      std::erase_if(scored, [](double value) { return value < 0; });
      sample.Add(scored);
    }
    Report report;
    report.suite = &suite;
    report.for_each_cell = [&values](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
      for (CaseIndex i = 0; i < values.size(); ++i) {
        for (AttemptIndex k = 0; k < values[i].size(); ++k) ASSAY_CHECK_OK(visit(CellOf(i, k, values[i][k])));
      }
      return Ok();
    };
    passes = *PassCountsOf(report, {});
  }
  static Attempts Each(const std::vector<double>& values) {
    Attempts attempts;
    for (const double value : values) attempts.push_back({value});
    return attempts;
  }
  Contender As(std::string name) const {
    return {.name = std::move(name), .suite = &suite, .scores = &scores, .passes = &passes};
  }
};

TEST_CASE("a gate shows a regression beyond its margin, and what it could have seen") {
  std::vector<double> worse;
  std::vector<double> better;
  for (int i = 0; i < 30; ++i) {
    better.push_back(0.8 + 0.001 * i);
    worse.push_back(0.6 + 0.002 * i);
  }
  const GatedRun base(better);
  const GatedRun fresh(worse);
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("new"), .base = base.As("old")},
                                       {.fresh = base.As("old"), .base = base.As("old")}};
  const std::vector<VariantGate> gates = TestRegressions(pairs, {.margin = 0.02});
  CHECK(gates[0].state == GateState::kRegression);
  CHECK(gates[0].comparison.verdict == Verdict::kTrails);
  CHECK(gates[1].state == GateState::kNone);
  const std::vector<VariantGate> lenient = TestRegressions(std::span(pairs).first(1), {.margin = 0.5});
  CHECK(lenient[0].state == GateState::kNone);
  const GatedRun stranger(std::vector<double>{1}, "s");
  const std::vector<GatePair> none = {{.fresh = fresh.As("new"), .base = stranger.As("other")}};
  CHECK(TestRegressions(none, {})[0].state == GateState::kNotDefined);
  CHECK(TestFlips(none, {})[0].state == GateState::kNotDefined);
}

TEST_CASE("who newly fails is named, the first ten of many") {
  const GatedRun base(std::vector<double>(12, 1));
  const GatedRun fresh(std::vector<double>(12, 0));
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("a"), .base = base.As("a")}};
  const std::string line = GateLine(TestRegressions(pairs, {})[0]);
  CHECK(line.ends_with("on 12 cases. 12 newly fail: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more"));
}

TEST_CASE("a flip is a case that passed and fails; what has no score is counted beside") {
  const GatedRun base({1, 1, 1, 0, 0.6});
  const GatedRun fresh({1, 0, -1, 0, 0.5});
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("a"), .base = base.As("a")}};
  const VariantGate strict = TestFlips(pairs, {})[0];
  CHECK(strict.state == GateState::kRegression);
  CHECK(GateLine(strict) ==
        "Flipped: 1 of 3 cases that passed now fails, at most 0 allowed; 1 that passed has no score now. 1 "
        "newly "
        "fails: c1");
  // The case without a score could be the one too many.
  const VariantGate unsure = TestFlips(pairs, {.flips_max = 1})[0];
  CHECK(unsure.state == GateState::kCannotTell);
  CHECK(GateLine(unsure) ==
        "Cannot tell: 1 case that passed has no score now; 1 of 3 others fails. 1 newly fails: c1");
  const VariantGate lenient = TestFlips(pairs, {.flips_max = 2})[0];
  CHECK(lenient.state == GateState::kNone);
  CHECK(lenient.sentence ==
        "No flip too many: 1 of 3 cases that passed now fails; 1 that passed has no score now.");
}

TEST_CASE("adding an attempt that passes half of the time turns no passed case into a failed one") {
  const GatedRun base({{1}, {1}, {1}}, "c", "icontains");
  const GatedRun fresh({{1, 1, 0}, {1, 0, 0}, {1, 0}}, "c", "icontains");
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("a"), .base = base.As("a")}};
  const VariantGate gate = TestFlips(pairs, {})[0];
  CHECK(gate.newly_failing == std::vector<std::string>{"c1"});  // one of three
  CHECK(TestFlips(pairs, {.pass = {.share = 0.3}})[0].newly_failing.empty());
  CHECK(TestFlips(pairs, {.pass = {.share = 1}})[0].newly_failing.size() == 3);
}

// Every outcome of so many attempts is a case.
GatedRun::Attempts EveryOutcome(AttemptIndex attempts) {
  GatedRun::Attempts outcomes;
  for (std::uint32_t bits = 0; bits < (1u << attempts); ++bits) {
    std::vector<double>& scores = outcomes.emplace_back();
    for (AttemptIndex k = 0; k < attempts; ++k) scores.push_back((bits >> k) & 1);
  }
  return outcomes;
}

// The share of unchanged cases that the gate calls flipped, each of whose attempts passes with this chance,
// after a base in which they passed: exactly, by weighing every outcome.
double FlipRate(AttemptIndex attempts, double chance) {
  const GatedRun::Attempts outcomes = EveryOutcome(attempts);
  const GatedRun fresh(outcomes, "c", "icontains");
  const GatedRun base(GatedRun::Attempts(outcomes.size(), {1.0}), "c", "icontains");
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("a"), .base = base.As("a")}};
  const VariantGate gate = TestFlips(pairs, {})[0];
  double rate = 0;
  for (const std::string& id : gate.newly_failing) {
    const std::vector<double>& scores = outcomes[std::stoul(id.substr(1))];
    double weight = 1;
    for (const double score : scores) weight *= score > 0 ? chance : 1 - chance;
    rate += weight;
  }
  return rate;
}

TEST_CASE("more attempts of an unchanged model do not raise the flip rate") {
  constexpr AttemptIndex kMost = 8;
  constexpr double kRounding = 1e-12;
  for (const double chance : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0}) {
    CAPTURE(chance);
    const double once = FlipRate(1, chance);
    CHECK(once == doctest::Approx(1 - chance));
    for (AttemptIndex n = 2; n <= kMost; ++n) {
      CAPTURE(n);
      CHECK(FlipRate(n, chance) <= once + kRounding);
    }
  }
  // Over cases of every difficulty alike, of which those that passed once are the base.
  double last_odd = 1;
  for (AttemptIndex n = 1; n <= kMost; ++n) {
    constexpr int kSteps = 50;
    double flips = 0;
    double passed = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double chance = static_cast<double>(i) / kSteps;
      flips += chance * FlipRate(n, chance);
      passed += chance;
    }
    CAPTURE(n);
    CHECK(flips / passed <= last_odd + kRounding);
    if (n % 2 == 1) last_odd = flips / passed;
  }
}

TEST_CASE("cases that were flaky in the base are listed apart, and count") {
  const GatedRun base({{1, 1, 0}, {1, 1, 1}, {1, 1, 1}}, "c", "icontains");
  const GatedRun fresh({{0, 1, 0}, {0, 0, 1}, {1, 1, 0}}, "c", "icontains");
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("a"), .base = base.As("a")}};
  const VariantGate gate = TestFlips(pairs, {})[0];
  CHECK(gate.state == GateState::kRegression);
  CHECK(
      GateLine(gate) ==
      "Flipped: 2 of 3 cases that passed now fail, at most 0 allowed. 1 newly fails: c1. 1 that was flaky in "
      "the base newly fails: c0");
}

TEST_CASE("what is known to be flaky does not count in a gate, and is counted on a line of its own") {
  const GatedRun base({1, 1, 1});
  const GatedRun fresh({0, 1, 0});
  const std::vector<GatePair> pairs = {{.fresh = fresh.As("a"), .base = base.As("a")}};
  const std::vector<std::string> two = {"c0", "c2"};
  const VariantGate gate = TestFlips(pairs, {.known_flaky = two})[0];
  CHECK(gate.state == GateState::kNone);
  CHECK(gate.sentence == "No flip too many: 0 of 1 case that passed now fail.");
  CHECK(KnownFlakyLine(gate) == "Known to be flaky, not counted: 2 cases; 2 newly fail: c0, c2.");
  CHECK(TestRegressions(pairs, {.known_flaky = two})[0].estimate->paired.cases == 1);
  const std::vector<std::string> all = {"c0", "c1", "c2"};
  const VariantGate none = TestFlips(pairs, {.known_flaky = all})[0];
  CHECK(none.state == GateState::kNotDefined);
  CHECK(none.sentence == "Cannot tell: every case that both runs have is known to be flaky.");
  const std::vector<std::string> steady = {"c1"};
  CHECK(KnownFlakyLine(TestFlips(pairs, {.known_flaky = steady})[0]) ==
        "Known to be flaky, not counted: 1 case, which did not flip.");
  CHECK(KnownFlakyLine(TestFlips(pairs, {})[0]).empty());
}

TEST_CASE("a base that does not know its checks is held to the marks of the run") {
  Suite marks;
  marks.cases.emplace_back().id = "c0";
  marks.cases[0].checks.resize(2);
  for (Check& check : marks.cases[0].checks) check.kind = "icontains";
  Suite told;
  told.cases.emplace_back().id = "c0";
  told.variants.emplace_back();
  Report report;
  report.suite = &told;
  report.for_each_cell = [](const CellRange&, CellParts, const Report::Visitor& visit) {
    return visit(CellOf(0, 0, 0.5));
  };
  CHECK((*PassCountsOf(report, {}))[0][0].passed == 1);
  CHECK((*PassCountsOf(report, {}, &marks))[0][0].passed == 0);
}

}  // namespace
}  // namespace assay
