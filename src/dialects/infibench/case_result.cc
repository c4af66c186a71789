// Converts case results to the values of the result YAML and back, and sums the components of an attempt.
#include "dialects/infibench/case_result.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/errors/diagnostics.h"
#include "text/found.h"
#include "text/object.h"

namespace assay::infibench {
namespace {

constexpr std::array<Component, 5> kResultComponents = {{
    {"keywords", "keywords_score", "keywords_totscore"},
    {"blank_filling", "blank_filling_score", "blank_filling_totscore"},
    {"unit_test", "unit_test_score", "unit_test_totscore"},
    {"similarity", "similarity_score", "similarity_totscore"},
    {"custom", "custom_score", "custom_totscore"},
}};

constexpr std::string_view kErrorInfo = "error encountered";
constexpr std::array<std::string_view, 5> kComputedKeys = {"full_score", "now_score", "now_std", "detail",
                                                           "all_scores"};

bool IsComputed(std::string_view key) {
  return std::find(kComputedKeys.begin(), kComputedKeys.end(), key) != kComputedKeys.end();
}

Error Unexpected(std::string_view path, std::string_view key, std::string_view expected, const Value* found) {
  Error error{.message = fmt::format("expected {} as \"{}\" of case {}, found {}", expected, key,
                                     Quoted(path), found == nullptr ? "nothing" : KindName(*found))};
  if (found != nullptr) error.where = found->span;
  return error;
}

Result<double> ReadNumber(std::string_view path, const Value& entry, std::string_view key) {
  if (const std::optional<double> number = entry.NumberAt(key)) return *number;
  return Unexpected(path, key, "a number", entry.Find(key));
}

// The scores that the file lists, one per attempt.
Status ReadScores(const Value& scores, CaseResult& result) {
  if (!scores.is_list()) return Unexpected(result.path, "all_scores", "a list", &scores);
  if (scores.AsList().size() != result.detail.size()) {
    return Unexpected(result.path, "all_scores", "one score per attempt", &scores);
  }
  for (const Value& score : scores.AsList()) {
    if (!score.is_number() && !score.is_null()) {
      return Unexpected(result.path, "all_scores", "numbers", &score);
    }
    result.all_scores.push_back(score.is_number() ? std::optional<double>(score.AsNumber()) : std::nullopt);
  }
  return Ok();
}

Result<CaseResult> ReadCase(const Member& member) {
  CaseResult result;
  result.path = member.key;
  const Value& entry = member.value;
  if (!entry.is_map()) return Unexpected(result.path, "its value", "a mapping", &entry);
  for (const Member& field : entry.AsMap()) {
    if (!IsComputed(field.key)) result.fields.Append(field.key, field.value, field.key_span);
  }
  ASSAY_TRY(result.full_score, ReadNumber(result.path, entry, "full_score"));
  const Value* full_score = entry.Find("full_score");
  result.is_full_score_whole = full_score != nullptr && full_score->kind() == ValueKind::kInt;
  ASSAY_TRY(result.now_score, ReadNumber(result.path, entry, "now_score"));
  ASSAY_TRY(result.now_std, ReadNumber(result.path, entry, "now_std"));
  const Value* detail = entry.Find("detail");
  if (detail != nullptr && ErrorIn(*detail)) {
    result.error = *ErrorIn(*detail);
    return result;
  }
  const List* attempts = FindList(entry, "detail");
  if (attempts == nullptr) return Unexpected(result.path, "detail", "a list", detail);
  result.detail = *attempts;
  for (const Value& attempt : result.detail) {
    if (!attempt.is_map()) return Unexpected(result.path, "detail", "mappings, one per attempt,", &attempt);
  }
  if (const Value* scores = entry.Find("all_scores"); scores != nullptr) {
    ASSAY_CHECK_OK(ReadScores(*scores, result));
    return result;
  }
  for (const Value& attempt : result.detail) {
    result.all_scores.push_back(AttemptScore(attempt, result.full_score));
  }
  return result;
}

}  // namespace

std::span<const Component> Components() { return kResultComponents; }

double AttemptSum::Total(Denominator denominator) const {
  if (!max_score) return total;
  return denominator == Denominator::kLeast && total != 0 ? std::min(*max_score, total) : *max_score;
}

AttemptSum SumOf(const Value& attempt) {
  AttemptSum sum;
  for (const Component& component : kResultComponents) {
    sum.raw_score += attempt.NumberAt(component.score_key).value_or(0);
    sum.total += attempt.NumberAt(component.total_key).value_or(0);
  }
  sum.max_score = attempt.NumberAt("max_score");
  sum.min_score = attempt.NumberAt("min_score");
  sum.score = sum.raw_score;
  if (sum.max_score) sum.score = std::min(sum.score, *sum.max_score);
  if (sum.min_score) sum.score = std::max(sum.score, *sum.min_score);
  return sum;
}

std::optional<double> AttemptScore(const Value& attempt, double full_score, Denominator denominator) {
  if (ErrorIn(attempt)) return std::nullopt;
  const AttemptSum sum = SumOf(attempt);
  const double total = sum.Total(denominator);
  if (total == 0) return std::nullopt;
  return sum.score / total * full_score;
}

Value ErrorDetail(std::string_view message) { return Object{{"info", kErrorInfo}, {"error_obj", message}}; }

std::optional<std::string> ErrorIn(const Value& detail) {
  if (detail.TextAt("info") != kErrorInfo) return std::nullopt;
  const std::string& message = detail.TextAt("error_obj");
  return message.empty() ? std::string(kErrorInfo) : message;
}

Value ToValue(const CaseResult& result, ResultForm form) {
  Map map = result.fields;
  const Value full_score =
      result.is_full_score_whole ? Value(std::int64_t(result.full_score)) : Value(result.full_score);
  map.Set("full_score", full_score);
  map.Set("now_score", result.error.empty() ? result.now_score : 0.0);
  map.Set("now_std", result.error.empty() ? result.now_std : 0.0);
  map.Set("detail", result.error.empty() ? Value(result.detail) : ErrorDetail(result.error));
  if (form == ResultForm::kEvaluator) {
    for (const Member& field : result.fields) map.Set(field.key, field.value);
    return map;
  }
  List scores = ArrayOf(result.all_scores, [&](const auto& score) { return OrNull(score); });
  if (!result.error.empty()) scores = {Value(0.0)};
  map.Set("all_scores", std::move(scores));
  return map;
}

Result<std::vector<CaseResult>> ReadCaseResults(const Value& result_yaml) {
  if (!result_yaml.is_map()) {
    return Error{.message = fmt::format("expected a result file, a mapping of case paths, found {}",
                                        KindName(result_yaml)),
                 .where = result_yaml.span};
  }
  std::vector<CaseResult> results;
  for (const Member& member : result_yaml.AsMap()) {
    ASSAY_TRY(CaseResult result, ReadCase(member));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace assay::infibench
