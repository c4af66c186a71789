// Tests of gates: who got worse, and which cases flipped.
#include "report/decide/gates.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

// One variant, whose cases have one check each, scored once.
struct GatedRun {
  Suite suite;
  CaseScores scores;
  CasePasses passes;

  explicit GatedRun(const std::vector<double>& values, std::string prefix = "c", double pass_at = 0.5) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Case& the_case = suite.cases.emplace_back();
      the_case.id = prefix + std::to_string(i);
      the_case.turns = {
          {.role = Role::kUser, .kind = TurnKind::kText, .text = "prompt of " + the_case.id, .span = {}}};
      the_case.checks.emplace_back().text = "says it";
    }
    suite.variants.emplace_back().id = "a";
    scores.clusters = ClustersOf(suite.cases);
    scores.weights.assign(suite.cases.size(), 1);
    scores.range = ScoreRange{};
    Sample& sample = scores.samples.emplace_back();
    for (const double value : values) {
      value < 0 ? sample.Add({}) : sample.Add(std::span(&value, 1));
    }
    Report report;
    report.suite = &suite;
    report.for_each_cell = [&values](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
      for (std::size_t i = 0; i < values.size(); ++i) {
        Cell cell;
        cell.case_index = static_cast<CaseIndex>(i);
        cell.state = values[i] < 0 ? CellState::kError : CellState::kScored;
        cell.score = values[i];
        if (values[i] >= 0) cell.record.scores = {Score::Of(values[i])};
        ASSAY_CHECK_OK(visit(cell));
      }
      return Ok();
    };
    passes = *CasePassesOf(report, pass_at);
  }
  GateSide As(std::string name) const {
    return {.contender = {.name = std::move(name), .suite = &suite, .scores = &scores}, .passes = &passes};
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
  const GatedRun stranger({1}, "s");
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

}  // namespace
}  // namespace assay
