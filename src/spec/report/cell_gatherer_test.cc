// One walk shows every cell to all who gather, with what they need of it then.
#include "spec/report/cell_gatherer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "spec/suite/suite.h"

namespace assay {

namespace {

// Wants scores of the first cases only, and stops the walk where it is told to.
class FirstCases final : public CellGatherer {
 public:
  explicit FirstCases(CaseIndex cases) : cases_(cases) {}
  CellParts parts() const override { return next_ < cases_ ? CellParts::kScores : CellParts::kOutcome; }
  Status Add(const Cell& cell) override {
    next_ = cell.case_index + 1;
    ++seen;
    return cell.case_index == stop_at ? Status(Error{ErrorCode::kIo, "stopped"}) : Ok();
  }
  std::size_t seen = 0;
  CaseIndex stop_at = 1'000'000;

 private:
  CaseIndex cases_;
  CaseIndex next_ = 0;
};

// Of two variants and so many cases; tells what it was asked for.
struct Walked {
  explicit Walked(std::size_t cases) {
    suite.cases.resize(cases);
    suite.variants.resize(2);
    report.suite = &suite;
    report.for_each_cell = [this](const CellRange& range, CellParts parts,
                                  const Report::Visitor& visit) -> Status {
      for (CaseIndex c = range.first_case; c < range.last_case; ++c) {
        for (VariantIndex v = 0; v < 2; ++v) {
          visited.push_back(c * 2 + v);
          scores += parts == CellParts::kScores ? 1 : 0;
          ASSAY_CHECK_OK(visit({.case_index = c, .variant = v, .partial_score = {}, .record = {}}));
        }
      }
      return Ok();
    };
  }
  Suite suite;
  Report report;
  std::vector<std::size_t> visited;
  std::size_t scores = 0;
};

}  // namespace

TEST_CASE("all who gather see every cell once, in plan order") {
  for (const std::size_t cases : {0u, 1u, 5'000u}) {
    CAPTURE(cases);
    Walked run(cases);
    FirstCases one(0);
    FirstCases other(0);
    CellGatherer* const gatherers[] = {&one, &other};
    REQUIRE(GatherCells(run.report, gatherers).has_value());
    CHECK(one.seen == 2 * cases);
    CHECK(other.seen == 2 * cases);
    REQUIRE(run.visited.size() == 2 * cases);
    for (std::size_t i = 0; i < run.visited.size(); ++i) REQUIRE(run.visited[i] == i);
    CHECK(run.scores == 0);
  }
}

TEST_CASE("cells come with what one of them needs, as long as it does") {
  Walked run(20'000);
  FirstCases none(0);
  FirstCases first(10);
  CellGatherer* const gatherers[] = {&none, &first};
  REQUIRE(GatherCells(run.report, gatherers).has_value());
  CHECK(run.scores >= 20);
  CHECK(run.scores < 10'000);
  CHECK(none.seen == 40'000);
}

TEST_CASE("the first problem ends the walk") {
  Walked run(10'000);
  FirstCases gatherer(0);
  gatherer.stop_at = 3;
  CellGatherer* const gatherers[] = {&gatherer};
  CHECK(!GatherCells(run.report, gatherers));
  CHECK(gatherer.seen == 7);
}

}  // namespace assay
