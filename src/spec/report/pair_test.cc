// Tests of folding attempts into pairs: what is shown, averaged and left out.
#include "spec/report/pair.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "spec/limits.h"
#include "spec/suite/suite.h"

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
  suite.attempts = 3;
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
  report.for_each_cell = [&](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
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
  CHECK(pairs[0].shown->transcript.answer == "answer 0.500000");
  CHECK(pairs[0].mean() == 0.75);
  CHECK(pairs[0].points == std::vector<std::optional<double>>{0.75, std::nullopt});
  CHECK(pairs[0].marks.point_errors == 2);
  CHECK(pairs[0].marks.lost_votes + pairs[0].marks.cut + pairs[0].marks.stood_in == 0);
  CHECK(pairs[1].variant == 2);
  CHECK(pairs[1].state == CellState::kError);
  CHECK_FALSE(pairs[1].answered());
  CHECK(pairs[1].mean() == std::nullopt);
}

TEST_CASE("a partial attempt is in no mean but that of files whose tools count it") {
  Suite suite;
  suite.attempts = 3;
  suite.cases.emplace_back();
  suite.cases[0].checks.resize(2);
  suite.variants.resize(2);
  Cell in_part = MakeCell(0, CellState::kPartial, 0);
  in_part.partial_score = 0;
  in_part.record.scores = {Score::Missing("no judge"), Score::Of(0)};
  Cell alone = in_part;
  alone.variant = 1;
  const std::vector<Cell> cells = {in_part, MakeCell(0, CellState::kScored, 1), alone};
  Report report;
  report.suite = &suite;
  report.for_each_cell = [&](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
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
  CHECK(pairs[0].mean() == 1);
  CHECK(pairs[0].counted_mean() == 0.5);
  CHECK(pairs[0].partial == 1);
  CHECK(pairs[0].missing == 1);
  CHECK(pairs[1].state == CellState::kPartial);
  CHECK(pairs[1].mean() == std::nullopt);
  CHECK(pairs[1].counted_mean() == 0);

  std::vector<CellState> attempts;
  const CellRange first = CellRange::OfCase(0);
  CHECK(ForEachAttemptIn(report, first, CellParts::kAll, [&](AttemptIndex, const Pair& attempt) {
          attempts.push_back(attempt.state);
          return Ok();
        }).has_value());
  CHECK(attempts == std::vector<CellState>{CellState::kPartial, CellState::kScored, CellState::kPartial});
}

TEST_CASE("attempts are reduced as the suite says") {
  Suite suite;
  suite.attempts = 3;
  suite.cases.emplace_back();
  suite.cases[0].checks.resize(2);
  suite.variants.resize(1);
  const std::vector<Cell> cells = {MakeCell(0, CellState::kScored, 0.5), MakeCell(0, CellState::kScored, 1),
                                   MakeCell(0, CellState::kScored, 0.75)};
  Report report;
  report.suite = &suite;
  report.for_each_cell = [&](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
    for (const Cell& cell : cells) ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  struct Row {
    const char* reduce;
    double want;
  };
  for (const Row& row : {Row{"avg", 0.75}, Row{"max", 1}, Row{"min", 0.5}, Row{"", 0.75}}) {
    suite.aggregation.reduce = row.reduce;
    CAPTURE(row.reduce);
    CHECK(ForEachPairOf(report, 0, CellParts::kScores, [&](const Pair& pair) {
            CHECK(pair.mean() == row.want);
            return Ok();
          }).has_value());
  }
}

TEST_CASE(
    "pairs are folded once while the memo has room, and with transcripts only when they are asked for") {
  Suite suite;
  suite.cases.resize(2);
  suite.variants.resize(1);
  std::size_t answer_bytes = 10;
  int walks = 0;
  Report report;
  report.suite = &suite;
  report.pairs = std::make_shared<PairMemo>();
  report.for_each_cell = [&](const CellRange& range, CellParts parts,
                             const Report::Visitor& visit) -> Status {
    ++walks;
    Cell cell = MakeCell(0, CellState::kScored, 1);
    cell.record.scores.clear();
    cell.record.transcript.answer = parts == CellParts::kScores ? "" : std::string(answer_bytes, 'a');
    for (cell.case_index = range.first_case; cell.case_index < range.last_case; ++cell.case_index)
      ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  std::string seen;
  const auto walk = [&](CellParts parts) {
    seen.clear();
    walks = 0;
    CHECK(ForEachPairOf(report, 0, 2, parts, [&](const Pair& pair) {
            seen += std::to_string(pair.case_index) + ":" +
                    std::to_string(pair.shown->transcript.answer.size()) + " ";
            return Ok();
          }).has_value());
    return walks;
  };
  CHECK(walk(CellParts::kScores) == 1);
  CHECK(walk(CellParts::kScores) == 0);
  CHECK(seen == "0:0 1:0 ");
  CHECK(walk(CellParts::kShown) == 1);
  CHECK(seen == "0:10 1:10 ");
  CHECK(walk(CellParts::kShown) == 0);
  CHECK(seen == "0:10 1:10 ");
  CHECK(walk(CellParts::kScores) == 0);  // what has more serves who asks for less

  report.pairs = std::make_shared<PairMemo>();
  answer_bytes = limits::kPairMemoBytesMax * 2 / 3;
  CHECK(walk(CellParts::kShown) == 1);
  CHECK(report.pairs->full());
  CHECK(walk(CellParts::kShown) == 1);  // the first fitted
  answer_bytes = limits::kPairMemoBytesMax + 1;
  report.pairs = std::make_shared<PairMemo>();
  CHECK(walk(CellParts::kShown) == 1);
  CHECK(seen.starts_with("0:"));
  CHECK(walk(CellParts::kShown) == 1);  // neither fitted
  CHECK(walk(CellParts::kScores) == 1);
}

TEST_CASE("cases that are remembered stand between those that are read, in their order") {
  Suite suite;
  suite.cases.resize(4);
  suite.variants.resize(1);
  std::string walks;
  Report report;
  report.suite = &suite;
  report.pairs = std::make_shared<PairMemo>();
  report.for_each_cell = [&](const CellRange& range, CellParts, const Report::Visitor& visit) -> Status {
    walks += std::to_string(range.first_case) + "-" + std::to_string(range.last_case) + " ";
    Cell cell = MakeCell(0, CellState::kScored, 1);
    cell.record.scores.clear();
    for (cell.case_index = range.first_case; cell.case_index < range.last_case; ++cell.case_index) {
      if (cell.case_index != 2) ASSAY_CHECK_OK(visit(cell));
    }
    return Ok();
  };
  std::string seen;
  const auto visit = [&seen](const Pair& pair) {
    seen += std::to_string(pair.case_index);
    return Ok();
  };
  CHECK(ForEachPairOf(report, 1, CellParts::kShown, visit).has_value());
  CHECK(ForEachPairOf(report, 0, 4, CellParts::kShown, visit).has_value());
  CHECK(seen == "1013");
  CHECK(walks == "1-2 0-1 2-4 ");
  CHECK(ForEachPairOf(report, 0, 4, CellParts::kShown, visit).has_value());
  CHECK(seen == "1013013");
  CHECK(walks == "1-2 0-1 2-4 ");  // a case without pairs is remembered too
}

TEST_CASE("only runs whose pairs get files of their own remember them") {
  Suite suite;
  suite.variants.resize(2);
  suite.cases.resize(limits::kArtefactPairsMax / 2);
  CHECK(PairMemoOf(suite) != nullptr);
  suite.cases.emplace_back();
  CHECK(PairMemoOf(suite) == nullptr);
}

}  // namespace
}  // namespace assay
