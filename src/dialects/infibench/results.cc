// Converts cells of the report to CaseResult, and computes the summary of a suite.
//   source  InfiBench evaluator 96cb098 and harness 736de98 (spec: infibench 4, 9, 10)
#include "dialects/infibench/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "dialects/infibench/infibench.h"
#include "spec/report/reduce.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/object.h"
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
  return ArrayOf(score.items, [&](const ScoreItem& item) {
    return Object{{"code", item.program},
                  {"completion_id", std::int64_t{0}},
                  {"passed", item.share == 1},
                  {"result", List{Value(ResultText(item, form))}},
                  {"task_id", std::int64_t{0}}};
  });
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
  std::string_view remark_key;      // of what a handler told, where there is one
  bool is_nothing_told_too = true;  // whether the file says so where the handler told None
};
constexpr ScoreForm kScoreForms[] = {
    {"keywords", "keywords", "keywords", RulesDetail, "post_handler_detail"},
    {"blank_filling", "blank_filling", "blank_filling_detail", BlanksDetail,
     "blank_filling_post_handler_detail", false},
    {"unit_test", "unit_test", "unit_test_detail", ProgramsDetail, ""},
    {"similarity", "similarity", "similarity_detail", MetricsDetail, ""},
    {"customized", "custom", "", nullptr, "custom_detail"},
};

// What each check says of the attempt, and the bounds of the case.
Value DetailOf(const Case& the_case, const Cell& cell, ResultForm form) {
  Map detail;
  for (std::size_t i = 0; i < cell.record.scores.size(); ++i)
    AddScore(the_case.checks[i].kind, cell.record.scores[i], form, detail);
  for (const Member& bound : the_case.details.MapAt("bounds")) detail.Set(bound.key, bound.value);
  return Value(std::move(detail));
}

// Without a score, and without a share in any total.
CaseResult AsError(CaseResult result, std::string error) {
  result.full_score = 0;
  result.is_full_score_whole = false;
  result.now_score = 0;
  result.now_std = 0;
  result.detail.clear();
  result.all_scores = {0.0};
  result.error = std::move(error);
  return result;
}

// The attempts of one case, as they come.
class ResultBuilder {
 public:
  ResultBuilder(const Suite& suite, CaseIndex case_index)
      : suite_(suite),
        case_(suite.cases[case_index]),
        result_{.path = case_.id,
                .fields = case_.details.MapAt("fields"),
                .full_score = case_.full_score.value_or(1),
                .is_full_score_whole = case_.details.Find("is_full_score_whole") != nullptr,
                .weight = case_.weight} {}

  void Add(const Cell& cell) {
    (cell.state == CellState::kSkipped ? skipped_ : asked_) = true;
    if (cell.state == CellState::kSkipped) return;
    const std::string error = ErrorOf(cell);
    if (error.empty()) {
      scores_.push_back(cell.score * result_.full_score);
      result_.all_scores.emplace_back(scores_.back());
      result_.detail.push_back(DetailOf(case_, cell, FormOf(suite_)));
    } else {
      if (first_error_.empty()) first_error_ = error;
      result_.all_scores.emplace_back();
      result_.detail.push_back(ErrorDetail(error));
    }
  }

  // Once, after the last.
  CaseResult Finish() {
    result_.is_left = skipped_ && !asked_;
    const bool is_strict = suite_.compat == Compat::kInfibench;
    const bool has_error = !first_error_.empty();
    if (has_error && (is_strict || scores_.empty()))
      return AsError(std::move(result_), std::move(first_error_));
    if (scores_.empty()) {
      if (is_strict) return AsError(std::move(result_), std::string(kNoResponses));
      result_.now_score = case_.null_score.value_or(0);
      return std::move(result_);
    }
    const std::optional<Reducer> reduce = FindReducer(suite_.aggregation.reduce);
    ASSAY_ASSERT(reduce.has_value());
    const Reduced reduced = (*reduce)(scores_);
    result_.now_score = reduced.value;
    result_.now_std = reduced.deviation;
    return std::move(result_);
  }

 private:
  const Suite& suite_;
  const Case& case_;
  CaseResult result_;
  std::vector<double> scores_;
  std::string first_error_;
  bool asked_ = false;    // some attempt
  bool skipped_ = false;  // some attempt
};

// The results of all variants without their texts, gathered while the cells go by once.
class GatheredResults final : public CellGatherer {
 public:
  explicit GatheredResults(const Suite& suite) : suite_(suite) {
    results_.resize(suite.variants.size(), std::vector<std::optional<CaseResult>>(suite.cases.size()));
  }
  CellParts parts() const override { return CellParts::kGrades; }

  Status Add(const Cell& cell) override {
    const std::pair pair(cell.case_index, cell.variant);
    if (open_ != pair) {
      End();
      open_ = pair;
      builder_.emplace(suite_, cell.case_index);
    }
    builder_->Add(cell);
    return Ok();
  }

  // Closes the pair that is open.
  void End() override {
    if (!open_) return;
    results_[open_->second][open_->first] = WithoutTexts(builder_->Finish());
    open_.reset();
  }

  // Of a case that the variant was not asked as one without answers.
  CaseResult Of(CaseIndex case_index, VariantIndex variant) const {
    const std::optional<CaseResult>& result = results_[variant][case_index];
    return result ? *result : WithoutTexts(ResultBuilder(suite_, case_index).Finish());
  }

 private:
  const Suite& suite_;
  std::optional<std::pair<CaseIndex, VariantIndex>> open_;
  std::optional<ResultBuilder> builder_;
  std::vector<std::vector<std::optional<CaseResult>>> results_;  // by variant and case
};

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
    const bool as_given = score.answer.is_list() && score.answer.AsList().size() == 2;
    detail.Set(std::string(component.score_key), as_given ? score.answer.AsList()[0] : Value(score.value));
    detail.Set(std::string(component.total_key), as_given ? score.answer.AsList()[1] : Value(score.max));
  }
  if (of->detail != nullptr) detail.Set(std::string(of->detail_key), of->detail(score, form));
  const bool is_told = of->is_nothing_told_too ? !score.remark.is_undefined() : !score.remark.is_nullish();
  if (is_told) detail.Set(std::string(of->remark_key), score.remark);
}

Result<CaseResult> ResultOf(const Report& report, CaseIndex case_index, VariantIndex variant) {
  ResultBuilder result(*report.suite, case_index);
  const CellRange pair = CellRange::OfPair(case_index, variant);
  ASSAY_CHECK_OK(report.for_each_cell(pair, CellParts::kScores, [&result](const Cell& cell) {
    result.Add(cell);
    return Ok();
  }));
  return result.Finish();
}

bool IsLeft(const Report& report, const CaseResult& result) {
  return !report.stopped.empty() && result.is_left;
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
  const auto gathered = std::dynamic_pointer_cast<const GatheredResults>(report.gathered);
  for (const CaseIndex index : CasesByPath(*report.suite)) {
    CaseResult result;
    if (gathered != nullptr) {
      result = gathered->Of(index, variant);
    } else {
      ASSAY_TRY(CaseResult read, ResultOf(report, index, variant));
      result = WithoutTexts(std::move(read));
    }
    if (!IsLeft(report, result)) results.push_back(std::move(result));
  }
  return results;
}

ScoreTable TableOf(const Suite& suite, VariantIndex variant, std::span<const CaseResult> results) {
  const Variant& of = suite.variants[variant];
  TableOptions options{.form = FormOf(suite), .model = of.label.empty() ? of.model : of.label};
  options.tells_nothing = suite.compat != Compat::kInfibench;
  options.buckets = BucketsOf(suite.aggregation.reduce).value_or(Buckets{});
  options.denominator =
      suite.aggregation.formula == kCodesFormula ? Denominator::kMaxScore : Denominator::kLeast;
  for (const Case& the_case : suite.cases) {
    for (const Check& check : the_case.checks) {
      const std::string* metric =
          check.kind == "customized" ? FindText(check.args, "real_metric_type") : nullptr;
      if (metric != nullptr) options.custom_metrics.emplace(the_case.id, *metric);
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

namespace assay {

std::shared_ptr<CellGatherer> GatherInfibench(const Suite& suite) {
  constexpr std::size_t kResultsKept = 5'000;
  if (suite.cases.size() * suite.variants.size() > kResultsKept) return nullptr;
  return std::make_shared<infibench::GatheredResults>(suite);
}

}  // namespace assay
