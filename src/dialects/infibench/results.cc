// Converts cells of the report to CaseResult, and computes the summary of a suite.
//   source  InfiBench evaluator 96cb098 and harness 736de98 (spec: infibench 4, 9, 10)
#include "dialects/infibench/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "dialects/infibench/infibench.h"
#include "spec/report/reduce.h"
#include "spec/score/item_words.h"
#include "text/python/text.h"

namespace assay::infibench {

namespace {

// Texts of the result file, as Python's own exceptions say them.
constexpr std::string_view kZeroTotal = "float division by zero";
constexpr std::string_view kNoResponses = "not enough values to unpack (expected 4, got 3)";
constexpr std::string_view kNoScore = "no score";

// Why an attempt has no score; "" if it has one.
std::string ErrorOf(const Cell& cell) {
  if (!cell.record.transcript.error.empty()) return cell.record.transcript.error;
  for (const Score& score : cell.record.scores) {
    if (score.state == ScoreState::kScored) continue;
    const std::string& why = score.error.empty() ? score.explanation : score.error;
    return why.empty() ? std::string(kNoScore) : why;
  }
  return cell.state == CellState::kScored ? std::string() : std::string(kZeroTotal);
}

// What came of a program; the harness does not name the class of an exception.
std::string ResultText(const ScoreItem& test, ResultForm form) {
  constexpr std::string_view kClass = "failed: <class '";
  const std::size_t end = test.found.starts_with(kClass) ? test.found.find("'> ") : std::string::npos;
  if (form != ResultForm::kHarness || end == std::string::npos) return test.found;
  return "failed: " + test.found.substr(end + 3);
}

Value ProgramsDetail(const Score& score, ResultForm form) {
  List tests;
  for (const ScoreItem& item : score.items) {
    Map test;
    test.Append("code", item.program);
    test.Append("completion_id", std::int64_t{0});
    test.Append("passed", item.share == 1);
    test.Append("result", List{Value(ResultText(item, form))});
    test.Append("task_id", std::int64_t{0});
    tests.emplace_back(std::move(test));
  }
  return tests;
}

Value RulesDetail(const Score& score, ResultForm) {
  List rules;
  for (const ScoreItem& item : score.items) {
    if (!item.is_alone()) rules.emplace_back(item.is_there() ? "match" : "unmatch");
  }
  return rules;
}

Value BlanksDetail(const Score& score, ResultForm) {
  List lines;
  for (const ScoreItem& item : score.items) {
    if (!item.is_alone()) lines.emplace_back(BlankLine(item));
  }
  return lines;
}

Value MetricsDetail(const Score& score, ResultForm) {
  List metrics;
  for (const ScoreItem& item : score.items) {
    Map metric;
    for (const Measure& measure : item.measures) metric.Append(measure.name, measure.value);
    metric.Append("normalized_score", item.share);
    metrics.emplace_back(std::move(metric));
  }
  return metrics;
}

// What the original's result file has of a check's score.
struct ScoreForm {
  std::string_view kind;
  std::string_view component;  // Component::name
  std::string_view detail_key;
  Value (*detail)(const Score& score, ResultForm form);
  std::string_view remark_key;  // of what a handler told, where there is one
};
constexpr ScoreForm kScoreForms[] = {
    {"keywords", "keywords", "keywords", RulesDetail, "post_handler_detail"},
    {"blank_filling", "blank_filling", "blank_filling_detail", BlanksDetail,
     "blank_filling_post_handler_detail"},
    {"unit_test", "unit_test", "unit_test_detail", ProgramsDetail, ""},
    {"similarity", "similarity", "similarity_detail", MetricsDetail, ""},
    {"customized", "custom", "", nullptr, "custom_detail"},
};

// What each check says of the attempt, and the bounds of the case.
Value DetailOf(const Case& the_case, const Cell& cell, ResultForm form) {
  Map detail;
  for (std::size_t i = 0; i < cell.record.scores.size(); ++i)
    AddScore(the_case.checks[i].kind, cell.record.scores[i], form, detail);
  for (const Member& bound : the_case.details.Find("bounds")->AsMap()) detail.Set(bound.key, bound.value);
  return Value(std::move(detail));
}

// Without a score, and without a share in any total.
CaseResult AsError(CaseResult result, std::string error) {
  result.full_score = 0;
  result.now_score = 0;
  result.now_std = 0;
  result.detail.clear();
  result.all_scores = {0.0};
  result.error = std::move(error);
  return result;
}

}  // namespace

void AddScore(std::string_view kind, const Score& score, ResultForm form, Map& detail) {
  // Runs of older versions have the answer in the file's own form.
  if (score.answer.is_map()) {
    for (const Member& member : score.answer.AsMap()) detail.Set(member.key, member.value);
    return;
  }
  const auto* of = std::find_if(std::begin(kScoreForms), std::end(kScoreForms),
                                [kind](const ScoreForm& each) { return each.kind == kind; });
  if (of == std::end(kScoreForms)) return;
  for (const Component& component : Components()) {
    if (component.name != of->component) continue;
    detail.Set(std::string(component.score_key), score.value);
    detail.Set(std::string(component.total_key), score.max);
  }
  if (of->detail != nullptr) detail.Set(std::string(of->detail_key), of->detail(score, form));
  if (!score.remark.is_undefined()) detail.Set(std::string(of->remark_key), score.remark);
}

Result<CaseResult> ResultOf(const Report& report, CaseIndex case_index, VariantIndex variant) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[case_index];
  const bool is_strict = suite.compat == Compat::kInfibench;
  CaseResult result;
  result.path = the_case.id;
  result.fields = the_case.details.Find("fields")->AsMap();
  result.full_score = the_case.full_score.value_or(1);
  result.weight = the_case.weight;
  std::vector<double> scores;
  std::string first_error;
  const CellRange pair = CellRange::OfPair(case_index, variant);
  ASSAY_CHECK_OK(report.for_each_cell(pair, CellParts::kScores, [&](const Cell& cell) {
    if (cell.state == CellState::kSkipped) return Ok();
    const std::string error = ErrorOf(cell);
    if (error.empty()) {
      scores.push_back(cell.score * result.full_score);
      result.all_scores.emplace_back(scores.back());
      result.detail.push_back(DetailOf(the_case, cell, FormOf(suite)));
    } else {
      if (first_error.empty()) first_error = error;
      result.all_scores.emplace_back();
      result.detail.push_back(ErrorDetail(error));
    }
    return Ok();
  }));
  const bool has_error = !first_error.empty();
  if (has_error && (is_strict || scores.empty())) return AsError(std::move(result), std::move(first_error));
  if (scores.empty()) {
    if (is_strict) return AsError(std::move(result), std::string(kNoResponses));
    result.now_score = the_case.null_score.value_or(0);
    return result;
  }
  const std::optional<Reducer> reduce = FindReducer(suite.aggregation.reduce);
  ASSAY_ASSERT(reduce.has_value());
  const Reduced reduced = (*reduce)(scores);
  result.now_score = reduced.value;
  result.now_std = reduced.deviation;
  return result;
}

std::vector<CaseIndex> CasesByPath(const Suite& suite) {
  std::vector<CaseIndex> by_path(suite.cases.size());
  std::iota(by_path.begin(), by_path.end(), CaseIndex{0});
  std::sort(by_path.begin(), by_path.end(),
            [&](CaseIndex a, CaseIndex b) { return suite.cases[a].id < suite.cases[b].id; });
  return by_path;
}

CaseResult WithoutTexts(CaseResult result) {
  constexpr std::string_view kTexts[] = {"keywords",
                                         "blank_filling_detail",
                                         "unit_test_detail",
                                         "similarity_detail",
                                         "custom_detail",
                                         "post_handler_detail",
                                         "blank_filling_post_handler_detail"};
  for (Value& attempt : result.detail) {
    for (const std::string_view key : kTexts) attempt.AsMap().Erase(key);
  }
  return result;
}

Result<std::vector<CaseResult>> ResultsOf(const Report& report, VariantIndex variant) {
  std::vector<CaseResult> results;
  for (const CaseIndex index : CasesByPath(*report.suite)) {
    ASSAY_TRY(CaseResult result, ResultOf(report, index, variant));
    results.push_back(WithoutTexts(std::move(result)));
  }
  return results;
}

ScoreTable TableOf(const Suite& suite, VariantIndex variant, std::span<const CaseResult> results) {
  TableOptions options{.form = FormOf(suite), .model = suite.variants[variant].model};
  options.tells_nothing = suite.compat != Compat::kInfibench;
  options.buckets = BucketsOf(suite.aggregation.reduce).value_or(Buckets{});
  options.denominator =
      suite.aggregation.formula == kCodesFormula ? Denominator::kMaxScore : Denominator::kLeast;
  for (const Case& the_case : suite.cases) {
    for (const Check& check : the_case.checks) {
      const Value* metric = check.kind == "customized" ? check.args.Find("real_metric_type") : nullptr;
      if (metric != nullptr && metric->is_string())
        options.custom_metrics.emplace(the_case.id, metric->AsString());
    }
  }
  return BuildScoreTable(results, options);
}

ResultForm FormOf(const Suite& suite) {
  return suite.compat == Compat::kInfibench ? ResultForm::kEvaluator : ResultForm::kHarness;
}

void Totals::Add(const CaseResult& result, bool has_response) {
  ++cases;
  if (has_response) ++with_response;
  if (!result.error.empty()) return;
  full += result.full_score * result.weight;
  now += result.now_score * result.weight;
  std += result.now_std * result.weight;
}

std::string SummaryText(const Totals& totals) {
  return fmt::format("Total score: {} ± {} / {}\nTotal cases: {}\nTotal cases with response: {}\n    ",
                     PythonFloatText(totals.now), PythonFloatText(totals.std), PythonFloatText(totals.full),
                     totals.cases, totals.with_response);
}

}  // namespace assay::infibench
