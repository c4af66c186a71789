// Tests of what a run tells of its variance: which variant it is of, and what counts as cases alone.
#include "report/decide/planning/design_basis.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

constexpr CaseIndex kDrawnCases = 4;

Suite DrawnSuite(AttemptIndex attempts) {
  Suite suite;
  suite.attempts = attempts;
  suite.variants.emplace_back().id = "steady";
  suite.variants.emplace_back().id = "moody";
  for (CaseIndex i = 0; i < kDrawnCases; ++i) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = std::to_string(i);
    the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = the_case.id, .span = {}}};
    for (const double weight : {1.0, 3.0}) {
      Check& check = the_case.checks.emplace_back();
      check.kind = weight > 1 ? kJudgeKind : "contains";
      check.weight = weight;
    }
  }
  return suite;
}

Report DrawnReport(const Suite& suite, std::vector<Cell> cells) {
  Report report;
  report.suite = &suite;
  report.for_each_cell = [cells = std::move(cells)](const CellRange&, CellParts,
                                                    const Report::Visitor& visit) -> Status {
    for (const Cell& cell : cells) ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  return report;
}

// The steady variant has the same score on every attempt; the moody one 0 and 1 on alternate cases.
std::vector<Cell> Cells(AttemptIndex attempts, bool is_judged) {
  std::vector<Cell> cells;
  for (CaseIndex i = 0; i < kDrawnCases; ++i) {
    for (VariantIndex v = 0; v < 2; ++v) {
      for (AttemptIndex a = 0; a < attempts; ++a) {
        Cell& cell = cells.emplace_back();
        cell.case_index = i;
        cell.variant = v;
        cell.attempt = a;
        cell.state = CellState::kScored;
        cell.score = v == 0 ? 0.5 : (i + a) % 4 < 2 ? 1 : 0;
        if (!is_judged) continue;
        const double vote = i % 2 == 0 ? 0.2 : -0.2;
        cell.record.scores = {Score::Of(1), Score::Of(0.5)};
        cell.record.scores[1].evidence = {
            {.source = "a", .value = 0.5 + vote, .text = "", .votes = {0.5, 0.5 + 2 * vote}},
            {.source = "b", .value = 0.5, .text = "", .votes = {0.5, 0.5}}};
      }
    }
  }
  return cells;
}

TEST_CASE("it is told of the variant whose mean is known least closely") {
  const Suite suite = DrawnSuite(2);
  const auto basis = DesignBasisOf(DrawnReport(suite, Cells(2, false)));
  REQUIRE(basis);
  REQUIRE(*basis);
  CHECK((*basis)->variant == 1);
  // Means of 1, 0.5, 0 and 0.5, within cases 0, 0.5, 0 and 0.5.
  CHECK(*(*basis)->known.attempts == doctest::Approx(0.25));
  CHECK((*basis)->known.cases == doctest::Approx(1.0 / 6 - 0.125));
  CHECK_FALSE((*basis)->known.judges);
  CHECK_FALSE((*basis)->known.votes);
}

TEST_CASE("votes count by the weight of their criterion among all checks") {
  const Suite suite = DrawnSuite(1);
  Suite judged = suite;
  judged.judges.resize(2);
  const auto basis = DesignBasisOf(DrawnReport(judged, Cells(1, true)));
  REQUIRE(basis);
  REQUIRE(*basis);
  // Votes that are 0.4 apart have a variance of 0.08, those of the other judge none; three quarters of
  // the weight.
  CHECK(*(*basis)->known.votes == doctest::Approx(0.04 * 0.75 * 0.75));
  CHECK((*basis)->known.judges);
  CHECK_FALSE((*basis)->known.attempts);
}

TEST_CASE("where a case's value is no mean of its attempts, everything counts as cases") {
  Suite suite = DrawnSuite(2);
  suite.aggregation.reduce = "max";
  const auto basis = DesignBasisOf(DrawnReport(suite, Cells(2, false)));
  REQUIRE(basis);
  REQUIRE(*basis);
  CHECK((*basis)->known.cases > 0);
  CHECK_FALSE((*basis)->known.attempts);
}

TEST_CASE("equal scores tell nothing") {
  const Suite suite = DrawnSuite(1);
  std::vector<Cell> cells = Cells(1, false);
  for (Cell& cell : cells) cell.score = 1;
  const auto basis = DesignBasisOf(DrawnReport(suite, std::move(cells)));
  REQUIRE(basis);
  CHECK_FALSE(*basis);
}

}  // namespace
}  // namespace assay
