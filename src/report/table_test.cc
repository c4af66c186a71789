// Tests that a missing verdict makes its cell partial, whatever the formula, unless the suite does without
// it.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "report/aggregate.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

Suite SuiteOf(const char* formula, std::size_t checks) {
  Suite suite;
  suite.aggregation.formula = formula;
  Case& the_case = suite.cases.emplace_back();
  the_case.checks.resize(checks);
  for (CheckIndex i = 0; i < checks; ++i)
    the_case.tree.children.push_back({.op = CheckNode::Op::kLeaf, .children = {}, .check = i, .label = {}});
  return suite;
}

TEST_CASE("cells that lack a verdict") {
  const Score missing = Score::Missing("no judge could be reached");
  struct Row {
    const char* formula;
    std::vector<Score> scores;
    std::optional<double> partial;  // what is there counts so
    CellOutcome accepted;
  };
  const Row rows[] = {
      {"weighted-mean-best-path", {missing, Score::Of(0.5)}, 0.5, {CellState::kScored, 0.5}},
      {"weighted-mean-best-path", {missing, missing}, {}, {CellState::kError, 0}},
      {"weighted-mean-best-path", {missing, Score::Failure("unknown")}, {}, {CellState::kError, 0}},
      {"weighted-mean-best-path-weval", {missing, missing}, 0.0, {CellState::kScored, 0}},
      {"clipped-sum-over-total", {missing, Score::Of(1)}, {}, {CellState::kError, 0}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.formula);
    Suite suite = SuiteOf(row.formula, row.scores.size());
    const CellOutcome score = Aggregate(suite, suite.cases[0], row.scores);
    CHECK(score.state == CellState::kPartial);
    CHECK(score.partial == row.partial);
    suite.completeness.accepts_partial = true;
    const CellOutcome accepted = Aggregate(suite, suite.cases[0], row.scores);
    CHECK(accepted.state == row.accepted.state);
    CHECK(accepted.value == row.accepted.value);
  }
}

TEST_CASE("an error of a point is no missing verdict") {
  const Suite suite = SuiteOf("weighted-mean-best-path", 2);
  const std::vector<Score> scores = {Score::Failure("unknown function"), Score::Of(0.5)};
  CHECK(Aggregate(suite, suite.cases[0], scores).state == CellState::kScored);
}

TEST_CASE("an answer of which nothing could be graded is partial") {
  Suite suite = SuiteOf("weighted-mean-best-path", 0);
  AttemptRecord record;
  record.grading_error = "no model gave key points";
  CHECK(Aggregate(suite, suite.cases[0], record)->state == CellState::kPartial);
  suite.completeness.accepts_partial = true;
  CHECK(Aggregate(suite, suite.cases[0], record)->state == CellState::kError);
}

TEST_CASE("what a store says of a score is what a check of such a suite gives, or it is damaged") {
  struct Row {
    const char* formula;
    double value;
    double max;
    bool is_fine;
  };
  const double nan = std::nan("");
  const Row rows[] = {
      {"weighted-mean-best-path", 0, 1, true},
      {"weighted-mean-best-path", 1, 1, true},
      {"weighted-mean-best-path", 50, 1, false},
      {"weighted-mean-best-path", -7, 1, false},
      {"weighted-mean-best-path", 0.5, 2, false},
      {"weighted-mean-best-path", nan, 1, false},
      {"weighted-mean-best-path-weval", nan, 1, true},
      {"weighted-mean-best-path-weval", 50, 1, false},
      {"every-expectation", 50, 1, false},
      {"clipped-sum-over-total", 5, 1, true},
      {"clipped-sum-over-least-total", -2, 3, true},
      {"clipped-sum-over-total", 1e300, 1, false},
      {"no formula", 1, 1, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.formula);
    CAPTURE(row.value);
    const Suite suite = SuiteOf(row.formula, 1);
    AttemptRecord record;
    record.scores = {Score::Of(row.value)};
    record.scores[0].max = row.max;
    CHECK(CheckScores(suite, record).has_value() == row.is_fine);
    if (row.max == 1) CHECK(CheckOutcome(suite, {CellState::kScored, row.value}).has_value() == row.is_fine);
    CHECK(CheckOutcome(suite, {CellState::kError, row.value}).has_value() == (row.formula[0] != 'n'));
  }
}

}  // namespace
}  // namespace assay
