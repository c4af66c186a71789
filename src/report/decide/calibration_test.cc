// Tests of calibration: reading label tables, and the words of the estimate.
#include "report/decide/calibration.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "statistics/decisions/sentences.h"

namespace assay {
namespace {

TEST_CASE("lines with a label are read, others skipped; what is wrong is told with its line") {
  const auto rows =
      ReadLabels("case,variant,check,label,kind\nq1,m,2,0.5,judge\nq2,m,1,,judge\n'=1+1,m,1,1,judge\n");
  REQUIRE(rows);
  REQUIRE(rows->size() == 2);
  CHECK((*rows)[0].check == 1);
  CHECK((*rows)[0].attempt == 0);
  CHECK((*rows)[1].case_id == "=1+1");
  CHECK((*rows)[1].line == 4);
  const std::pair<std::string_view, std::string_view> wrong[] = {
      {"", "header line"},
      {"case,label\nq,1\n", "column `variant`"},
      {"case,variant,label\nq,m,\n", "no line has a label"},
      {"case,variant,label\nq,m,2\n", "line 2: expected a label from 0 to 1"},
      {"case,variant,label,attempt\nq,m,1,0\n", "line 2: expected an attempt"},
      {"case,variant,label,check\nq,m,1,x\n", "line 2: expected the number of a check"}};
  for (const auto& [csv, fragment] : wrong) {
    const auto read = ReadLabels(csv);
    REQUIRE(!read);
    CHECK(read.error().message.find(fragment) != std::string::npos);
  }
}

TEST_CASE("the estimate in words") {
  LabelEstimate estimate;
  estimate.labelled = 10;
  estimate.judge_mean = 0.72;
  estimate.estimate = 0.74;
  estimate.interval = Interval{0.5, 0.98};
  estimate.bias = 0.01;
  estimate.bias_interval = Interval{-0.1, 0.12};
  CHECK(LabelSentence("", estimate) ==
        "Humans would give 74 (95 %: 50 to 98), from 10 labels; the judges gave 72; their bias cannot be "
        "told from "
        "0.");
  estimate.labelled = 9;
  estimate.bias = -0.06;
  estimate.bias_interval = Interval{-0.1, -0.02};
  CHECK(LabelSentence("m", estimate) ==
        "Humans would give m 74 (95 %: 50 to 98), from 9 labels, too few for more than a hint; the judges "
        "gave 72; "
        "they give 6 points too little (95 %: 2 to 10).");
}

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
    const Result<std::vector<Calibration>> calibrations = Calibrate(report, rows);
    REQUIRE(calibrations);
    const LabelEstimate& estimate = calibrations->front().estimate;
    CAPTURE(WhyCode(estimate.why));
    REQUIRE(estimate.interval);
    CHECK(estimate.interval->low >= 0);
    CHECK(estimate.interval->high <= 1);
    CHECK((estimate.interval->low == 0 || estimate.interval->high == 1));
    CHECK(*estimate.estimate >= 0);
    CHECK(*estimate.estimate <= 1);
  }
}

}  // namespace
}  // namespace assay
