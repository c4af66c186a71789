// Picks the winner of a row, by a grader's word or by the scores of its outputs.
#include "checks/promptfoo/columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text/ascii.h"
#include "checks/promptfoo/table.h"
#include "text/javascript/number.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

// The first whole number of a text.
std::optional<double> FirstIndex(const std::string& text) {
  const auto first = std::find_if(text.begin(), text.end(), [](char c) { return IsAsciiDigit(c); });
  if (first == text.end()) return std::nullopt;
  double number = 0;
  for (auto at = first; at != text.end() && IsAsciiDigit(*at); ++at) number = number * 10 + (*at - '0');
  return first != text.begin() && *(first - 1) == '-' ? -number : number;
}

struct MaxScoreRule {
  bool adds_up = false;
  Map weights;
  std::optional<double> threshold;
};

Result<MaxScoreRule> ReadMaxScoreRule(const Assertion& assertion) {
  MaxScoreRule rule;
  const Value& value = assertion.value;
  const auto bad = [&](std::string_view expected) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the value of \"{}\": expected {}", assertion.type, expected), value.span};
  };
  if (value.is_nullish()) return rule;
  if (!value.is_map()) return bad("{method, weights, threshold}, or nothing");
  const std::string_view method = value.TextAt("method", "average");
  if (method != "average" && method != "sum") return bad("\"average\" or \"sum\" as \"method\"");
  rule.adds_up = method == "sum";
  rule.weights = value.MapAt("weights");
  rule.threshold = value.NumberAt("threshold");
  return rule;
}

double ScoreBy(const MaxScoreRule& rule, const TestResult& test) {
  double sum = 0;
  double weights = 0;
  for (const TestComponent& part : test.components) {
    if (part.type.empty() || part.compares_columns) continue;
    const double weight = rule.weights.NumberAt(part.type).value_or(1);
    sum += part.result.score * weight;
    weights += weight;
  }
  if (rule.adds_up) return sum;
  return weights > 0 ? sum / weights : 0;
}

}  // namespace

std::vector<AssertionResult> SelectBest(const Value& criteria, const Value& reply, std::size_t outputs) {
  const std::string text = reply.is_string() ? reply.AsString() : JsJson(reply);
  const std::optional<double> index = FirstIndex(text);
  std::vector<AssertionResult> results;
  for (std::size_t i = 0; i < outputs; ++i) {
    if (!index || *index < 0 || *index >= static_cast<double>(outputs)) {
      results.push_back(
          {false, 0, fmt::format("Invalid select-best verdict: {}", index ? JsNumberText(*index) : "NaN")});
      continue;
    }
    const bool wins = static_cast<double>(i) == *index;
    results.push_back(
        {wins, wins ? 1.0 : 0.0,
         fmt::format("Output {}: {}", wins ? "selected as the best" : "not selected", JsString(criteria))});
  }
  return results;
}

Result<std::vector<AssertionResult>> SelectMaxScore(const Assertion& assertion,
                                                    const std::vector<const TestResult*>& outputs) {
  ASSAY_TRY(const MaxScoreRule rule, ReadMaxScoreRule(assertion));
  std::vector<double> scores;
  for (const TestResult* output : outputs) scores.push_back(ScoreBy(rule, *output));
  const auto best = std::max_element(scores.begin(), scores.end());
  std::vector<AssertionResult> results;
  for (auto score = scores.begin(); score != scores.end(); ++score) {
    const std::string shown = JsToFixed(*score, 3);
    if (rule.threshold && *score < *rule.threshold) {
      results.push_back(
          {false, 0,
           fmt::format("Not selected - score {} below threshold {}", shown, JsNumberText(*rule.threshold))});
    } else if (score == best) {
      results.push_back({true, 1, fmt::format("Selected as highest scoring output (score: {})", shown)});
    } else {
      results.push_back(
          {false, 0, fmt::format("Not selected (score: {}, max: {})", shown, JsToFixed(*best, 3))});
    }
  }
  return results;
}

void AddColumnResult(const Assertion& assertion, const AssertionResult& result, TestResult& test) {
  test.components.push_back({assertion.type, result, true});
  if (result.pass) return;
  test.pass = false;
  test.score = 0;
  test.reason = result.reason;
}

}  // namespace assay::promptfoo
