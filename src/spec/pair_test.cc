// Attempts fold into pairs: what is shown, what is averaged, what is left out.
#include "spec/pair.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

Cell MakeCell(VariantIndex variant, CellState state, double score, std::string error = "") {
  Cell cell;
  cell.variant = variant;
  cell.state = state;
  cell.score = score;
  cell.record.transcript.answer = "answer " + std::to_string(score);
  cell.record.transcript.error = std::move(error);
  if (state == CellState::kScored) cell.record.scores = {Score::Of(score), Score::Failure("broken")};
  return cell;
}

TEST_CASE("attempts of a variant become one pair") {
  Suite suite;
  suite.cases.emplace_back();
  suite.cases[0].checks.resize(2);
  suite.variants.resize(3);
  const std::vector<Cell> cells = {
      MakeCell(0, CellState::kError, 0, "no answer"),
      MakeCell(0, CellState::kScored, 0.5),
      MakeCell(0, CellState::kScored, 1),
      MakeCell(1, CellState::kSkipped, 0),
      MakeCell(2, CellState::kError, 0, "no answer"),
  };
  Report report;
  report.suite = &suite;
  report.for_each_cell_of = [&](CaseIndex, CellParts, const Report::Visitor& visit) -> Status {
    for (const Cell& cell : cells) ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  std::vector<Pair> pairs;
  CHECK(ForEachPairOf(report, 0, CellParts::kShown, [&](const Pair& pair) {
          pairs.push_back(pair);
          return Ok();
        }).has_value());
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].state == CellState::kScored);
  CHECK(pairs[0].answered());
  CHECK(pairs[0].shown.transcript.answer == "answer 0.500000");
  CHECK(pairs[0].mean() == 0.75);
  CHECK(pairs[0].points == std::vector<std::optional<double>>{0.75, std::nullopt});
  CHECK(pairs[1].variant == 2);
  CHECK(pairs[1].state == CellState::kError);
  CHECK_FALSE(pairs[1].answered());
  CHECK(pairs[1].mean() == std::nullopt);
}

}  // namespace
}  // namespace assay
