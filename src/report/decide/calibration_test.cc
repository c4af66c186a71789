// Tests of calibration: which labels are believed to stand for all answers.
#include "report/decide/calibration.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "report/decide/labels/label_draw.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

TEST_CASE("what humans would give lies between the ends of their labels") {
  // Few labels: Student's interval would reach from below 0 beyond 100 %.
  const std::vector<std::vector<double>> of_labels = {{1, 1, 0}, {1, 1, 0.9}, {0, 0, 0.1}, {0, 1, 1}};
  for (const std::vector<double>& labels : of_labels) {
    Suite suite;
    suite.variants.resize(1);
    suite.variants[0].id = "m";
    std::vector<LabelRow> rows;
    for (std::size_t i = 0; i < 6; ++i) {
      suite.cases.emplace_back().id = "q" + std::to_string(i);
      suite.cases[i].cluster = suite.cases[i].id;
      if (i < labels.size())
        rows.push_back({.line = i + 2,
                        .case_id = suite.cases[i].id,
                        .variant_id = "m",
                        .check = {},
                        .label = labels[i]});
    }
    Report report;
    report.suite = &suite;
    report.for_each_cell = [](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
      const double scores[] = {1, 0, 0.5, 1, 0.25, 1};
      for (CaseIndex i = 0; i < 6; ++i) {
        Cell cell;
        cell.case_index = i;
        cell.state = CellState::kScored;
        cell.score = scores[i];
        ASSAY_CHECK_OK(visit(cell));
      }
      return Ok();
    };
    const Result<Calibrations> calibrations = Calibrate(report, rows);
    REQUIRE(calibrations);
    const LabelEstimate& estimate = calibrations->variants.front().estimate;
    CAPTURE(WhyCode(estimate.why));
    REQUIRE(estimate.interval);
    CHECK(estimate.interval->low >= 0);
    CHECK(estimate.interval->high <= 1);
    CHECK((estimate.interval->low == 0 || estimate.interval->high == 1));
    CHECK(*estimate.estimate >= 0);
    CHECK(*estimate.estimate <= 1);
  }
}

// 48 answers of as many cases, of which the first 16 failed; people agree with the judges but for these, to
// which they give 0.5: the truth is 83.
class DrawTries {
 public:
  DrawTries() {
    suite_.variants.resize(1);
    suite_.variants[0].id = "m";
    for (std::size_t i = 0; i < kCases; ++i) {
      suite_.cases.emplace_back().id = "q" + std::to_string(i);
      suite_.cases[i].cluster = suite_.cases[i].id;
    }
    report_.suite = &suite_;
    report_.for_each_cell = [](const CellRange&, CellParts, const Report::Visitor& visit) -> Status {
      for (CaseIndex i = 0; i < kCases; ++i) {
        Cell cell;
        cell.case_index = i;
        cell.state = CellState::kScored;
        cell.score = Score(i);
        ASSAY_CHECK_OK(visit(cell));
      }
      return Ok();
    };
  }
  static double Score(std::size_t i) { return i < 16 ? 0 : 1; }
  static double Truth(std::size_t i) { return i < 16 ? 0.5 : 1; }

  LabelRow Row(std::size_t i) const {
    return {.line = i + 2, .case_id = suite_.cases[i].id, .variant_id = "m", .check = {}, .label = Truth(i)};
  }
  const Report& report() const { return report_; }
  static constexpr std::size_t kCases = 48;

 private:
  Suite suite_;
  Report report_;
};

TEST_CASE("who labels the failures only is told that they are not like the rest") {
  const DrawTries tries;
  std::vector<LabelRow> rows;
  for (std::size_t i = 0; i < 16; ++i) rows.push_back(tries.Row(i));
  const Result<Calibrations> picked = Calibrate(tries.report(), rows);
  REQUIRE(picked);
  CHECK_FALSE(picked->variants.front().estimate.estimate);
  CHECK(picked->variants.front().sentence.starts_with(
      "The judges gave the answers of these 16 labels a mean of 0, "
      "and all answers a mean of 67. The numbers below hold"));
  CHECK(picked->judges.front().agreement.labels == 16);
}

TEST_CASE("a drawn list that is filled in from the top stands for all") {
  const DrawTries tries;
  const Result<LabelList> list = DrawLabels(tries.report(), 12, 0);
  REQUIRE(list);
  CHECK(list->unit == LabelUnit::kAnswer);
  CHECK(list->drawn == 12);
  CHECK(list->strata == 2);
  CHECK(DrawLabels(tries.report(), 12, 0)->csv == list->csv);
  CHECK(DrawLabels(tries.report(), 12, 1)->csv != list->csv);
  Result<std::vector<LabelRow>> rows = [&] {
    std::string filled;  // with labels to read; the right ones come below
    for (std::size_t at = 0; at < list->csv.size();) {
      const std::size_t end = list->csv.find('\n', at) + 1;
      filled += (at == 0 ? "" : "0") + list->csv.substr(at, end - at);
      at = end;
    }
    return ReadLabels(filled);
  }();
  REQUIRE(rows);
  for (LabelRow& row : *rows) row.label = DrawTries::Truth(std::stoul(row.case_id.substr(1)));
  const Result<Calibrations> drawn = Calibrate(tries.report(), *rows);
  REQUIRE(drawn);
  CHECK(drawn->variants.front().drawn.mode == LabelMode::kDrawn);
  CHECK(*drawn->variants.front().estimate.estimate == doctest::Approx(1 - 8.0 / 48));

  // A cheat copies what makes it a draw to lines that were picked.
  const LabelRow claims = rows->front();
  std::vector<LabelRow> cheat;
  for (std::size_t i = 0; i < 16; ++i) {
    cheat.push_back(tries.Row(i));
    cheat.back().claim = claims.claim;
  }
  const Result<Calibrations> found_out = Calibrate(tries.report(), cheat);
  REQUIRE(found_out);
  CHECK(found_out->variants.front().sentence.starts_with(
      "The file says that its labels were drawn, and they are"));
  CHECK_FALSE(found_out->variants.front().estimate.estimate);

  // Other strata than those of this run: an equal draw, for which twelve labels are too few.
  for (LabelRow& row : *rows) row.claim->strata = "0000000000";
  const Result<Calibrations> graded_again = Calibrate(tries.report(), *rows);
  REQUIRE(graded_again);
  CHECK(graded_again->variants.front().estimate.why == Why::kFewLabels);
}

TEST_CASE("labels of two draws, and of answers that are no longer there") {
  const DrawTries tries;
  LabelRow one = tries.Row(0);
  LabelRow other = tries.Row(1);
  one.claim = DrawClaim{.seed = 0, .unit = LabelUnit::kAnswer, .strata = "00"};
  other.claim = DrawClaim{.seed = 1, .unit = LabelUnit::kAnswer, .strata = "00"};
  CHECK(Calibrate(tries.report(), {one, other})
            .error()
            .message.find("line 3: expected the draw s0-answer-00") == 0);
  one.place = 1;
  CHECK(Calibrate(tries.report(), {one}).error().message.find("every label is of an answer") == 0);
  const Result<Calibrations> changed = Calibrate(tries.report(), {one, tries.Row(2)});
  REQUIRE(changed);
  CHECK(changed->changed == 1);
}

}  // namespace
}  // namespace assay
