// Tests of the means of attempts: one for each attempt, and how much they vary.
#include "report/decide/attempts/attempt_means.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

// Two cases, two attempts, one variant; the last attempt of the second case has no score.
TEST_CASE("each attempt has a mean over the cases that have a score in it") {
  Suite suite;
  suite.attempts = 2;
  suite.variants.emplace_back().id = "a";
  for (const std::string id : {"one", "two"}) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = id;
    the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = id, .span = {}}};
  }
  std::vector<Cell> cells(4);
  const double scores[] = {1, 0.5, 0, 0};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].case_index = static_cast<CaseIndex>(i / 2);
    cells[i].attempt = static_cast<AttemptIndex>(i % 2);
    cells[i].state = i == 3 ? CellState::kError : CellState::kScored;
    cells[i].score = scores[i];
  }
  Report report;
  report.suite = &suite;
  report.for_each_cell = [&cells](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
    for (const Cell& cell : cells) ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  const auto all = AttemptMeansOf(report);
  REQUIRE(all);
  const AttemptMeans& means = all->front();
  REQUIRE(means.means.size() == 2);
  CHECK(*means.means[0].mean == 0.5);
  CHECK(*means.means[1].mean == 0.5);
  CHECK(means.means[1].cases == 1);
  CHECK(!means.deviation);  // only one attempt has all cases
}

}  // namespace
}  // namespace assay
