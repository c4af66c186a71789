// Tests of which cells a sitting works on.
#include "run/executor/cells/cell_source.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {

namespace {

Suite SuiteOf(std::size_t cases) {
  Suite suite;
  suite.cases.resize(cases);
  suite.variants.resize(2);
  return suite;
}

std::vector<CellIndex> All(CellSource& source, std::size_t most) {
  std::vector<CellIndex> all;
  while (true) {
    const SourcedCells next = source.Next(most);
    if (next.state == SourcedCells::State::kEnd) return all;
    CHECK(next.state == SourcedCells::State::kCells);
    CHECK(!next.cells.empty());
    CHECK(next.cells.size() <= most);
    all.insert(all.end(), next.cells.begin(), next.cells.end());
  }
}

}  // namespace

TEST_CASE("a plan's cells come once, in plan order, as many at a time as are wanted") {
  const Suite suite = SuiteOf(4);
  const CellGrid grid = *CellGrid::Of(suite);
  std::vector<CellIndex> in_order;
  CellWalk walk(grid, suite);
  while (const std::optional<CellIndex> cell = walk.Next()) in_order.push_back(*cell);
  for (const std::size_t most : {1, 3, 100}) {
    PlanCells source(grid, suite);
    CHECK(All(source, most) == in_order);
    CHECK(source.Next(1).state == SourcedCells::State::kEnd);
  }
}

TEST_CASE("finished cells do not come, wherever they stand") {
  const Suite suite = SuiteOf(4);
  const CellGrid grid = *CellGrid::Of(suite);
  std::vector<bool> finished(6);
  finished[0] = finished[3] = finished[5] = true;
  PlanCells source(grid, suite, finished);
  std::vector<CellIndex> cells = All(source, 2);
  CHECK(cells.size() == 5);
  for (const CellIndex cell : cells) CHECK((cell >= finished.size() || !finished[cell]));
  PlanCells none(grid, suite, std::vector<bool>(8, true));
  CHECK(none.Next(10).state == SourcedCells::State::kEnd);
}

}  // namespace assay
