// Results of a run are the same, gathered while its cells go by and read pair by pair.
#include "dialects/infibench/results.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "dialects/infibench/infibench.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/yaml/python_yaml.h"

namespace assay::infibench {

namespace {

// The second variant is not asked the last case; an attempt of the first fails there.
Suite SmallSuite() {
  Suite suite;
  suite.dialect = "infibench";
  suite.aggregation = {.formula = std::string(kFormatsFormula), .reduce = "avg"};
  suite.attempts = 2;
  suite.variants.resize(2);
  for (const char* id : {"b", "a", "c"}) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = id;
    Map fields;
    fields.Append("lang", id);
    Map details;
    details.Append("fields", std::move(fields));
    details.Append("bounds", Map());
    the_case.details = std::move(details);
    the_case.checks.emplace_back().kind = "keywords";
  }
  suite.cases[2].variants.edit() = {0};
  return suite;
}

assay::Cell CellAt(CaseIndex index, VariantIndex variant, AttemptIndex attempt) {
  assay::Cell cell{
      .case_index = index, .variant = variant, .attempt = attempt, .partial_score = {}, .record = {}};
  if (index == 2 && attempt == 0) {
    cell.state = CellState::kError;
    cell.record.transcript.error = "no answer";
    return cell;
  }
  cell.state = CellState::kScored;
  cell.score = 0.25 * (index + variant + attempt);
  cell.record.scores = {Score::Of(cell.score)};
  return cell;
}

Report ReportOf(const Suite& suite) {
  Report report;
  report.suite = &suite;
  report.for_each_cell = [&suite](const CellRange& range, CellParts, const Report::Visitor& visit) -> Status {
    for (CaseIndex c = 0; c < suite.cases.size(); ++c) {
      for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
        if (!range.Has(c, v) || !suite.cases[c].Asks(v)) continue;
        for (AttemptIndex a = 0; a < suite.attempts; ++a) ASSAY_CHECK_OK(visit(CellAt(c, v, a)));
      }
    }
    return Ok();
  };
  return report;
}

std::string TextOf(const std::vector<CaseResult>& results) {
  std::string text;
  for (const CaseResult& result : results) {
    text += result.path + " ";
    AppendJson(ToValue(result, ResultForm::kHarness), JsonStyle::kJavaScript, text);
  }
  return text;
}

}  // namespace

TEST_CASE("gathered results are those that are read pair by pair") {
  const Suite suite = SmallSuite();
  Report report = ReportOf(suite);
  const std::string first = TextOf(ResultsOf(report, 0).value());
  const std::string second = TextOf(ResultsOf(report, 1).value());
  CHECK(first.find("no answer") != std::string::npos);
  CHECK(second.find("no answer") == std::string::npos);
  const std::shared_ptr<CellGatherer> gatherer = GatherInfibench(suite);
  CellGatherer* const gatherers[] = {gatherer.get()};
  REQUIRE(GatherCells(report, gatherers).has_value());
  report.gathered = gatherer;
  report.for_each_cell = [](const CellRange&, CellParts, const Report::Visitor&) -> Status {
    return Error{ErrorCode::kIo, "nobody reads the cells again"};
  };
  REQUIRE(ResultsOf(report, 0).has_value());
  CHECK(TextOf(ResultsOf(report, 0).value()) == first);
  CHECK(TextOf(ResultsOf(report, 1).value()) == second);
}

TEST_CASE("what a function of the suite's own gave is written as it gave it") {
  // Whole numbers used to become floats, and None a member of every kind of check.
  Score score = Score::Of(1);
  score.max = 2;
  score.answer = List{Value(std::int64_t{1}), Value(2.0)};
  score.remark = Null{};
  const struct {
    std::string_view kind, score_key, total_key, remark_key;
    bool has_remark;
  } rows[] = {
      {"keywords", "keywords_score", "keywords_totscore", "post_handler_detail", true},
      {"blank_filling", "blank_filling_score", "blank_filling_totscore", "blank_filling_post_handler_detail",
       false},
      {"customized", "custom_score", "custom_totscore", "custom_detail", true},
  };
  for (const auto& row : rows) {
    CAPTURE(row.kind);
    Map detail;
    AddScore(row.kind, score, ResultForm::kEvaluator, detail);
    CHECK(detail.Find(row.score_key)->kind() == ValueKind::kInt);
    CHECK(detail.Find(row.total_key)->kind() == ValueKind::kDouble);
    CHECK((detail.Find(row.remark_key) != nullptr) == row.has_remark);
  }
}

TEST_CASE("a full score is written as the case has it, or as the suite has it") {
  const struct {
    Value own;  // of the case; undefined: none
    bool is_whole;
    std::string error;
    ResultForm form;
    std::string_view want;
  } rows[] = {
      {Value(), false, "", ResultForm::kEvaluator, "3.0"},
      {Value(), true, "", ResultForm::kEvaluator, "3"},
      {Value(std::int64_t{3}), false, "", ResultForm::kEvaluator, "3"},
      {Value(3.0), false, "no total", ResultForm::kEvaluator, "3.0"},
      {Value(), false, "no total", ResultForm::kEvaluator, "0.0"},
      {Value(3.0), false, "no total", ResultForm::kHarness, "0.0"},
  };
  for (const auto& row : rows) {
    CaseResult result{.path = "a.yaml",
                      .full_score = row.error.empty() ? 3.0 : 0.0,
                      .is_full_score_whole = row.is_whole,
                      .error = row.error};
    if (!row.own.is_undefined()) result.fields.Append("full_score", row.own);
    const std::string yaml = WritePythonYaml(ToValue(result, row.form).AsMap());
    CAPTURE(yaml);
    CHECK(yaml.find(fmt::format("full_score: {}\n", row.want)) != std::string::npos);
  }
}

TEST_CASE("large runs keep no results") {
  Suite suite;
  suite.cases.resize(5'001);
  suite.variants.resize(1);
  CHECK(GatherInfibench(suite) == nullptr);
}

}  // namespace assay::infibench
