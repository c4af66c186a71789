// g-eval: for each criterion a call for the steps of judging by it, and one for a score of 0 to 10.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>

#include "checks/promptfoo/graders/moves.h"
#include "text/found.h"
#include "text/javascript/values.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr double kScoreMax = 10;
constexpr double kGEvalThreshold = 0.7;
constexpr std::size_t kCallsEach = 2;

// The JSON between the first brace of a line and its last one; null if no line has such.
Value ObjectOfOneLine(const std::string& text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    const std::size_t first = line.find('{');
    const std::size_t last = line.rfind('}');
    if (first == std::string_view::npos || last == std::string_view::npos || last <= first + 1) continue;
    Result<Value> parsed = ParseJson(line.substr(first, last - first + 1));
    return parsed && parsed->is_map() ? *std::move(parsed) : Value(Null{});
  }
  return Value(Null{});
}

Value ObjectOf(const Value& reply) { return reply.is_string() ? ObjectOfOneLine(reply.AsString()) : reply; }

std::string Raw(const Value& said, std::string_view key) {
  const Value* value = said.Find(key);
  return value == nullptr ? "undefined" : JsString(*value);
}

// Why the steps are none; "" if they are some.
std::string StepsFault(const GraderTurn& turn, const Value& reply) {
  if (IsEmptyReply(reply))
    return fmt::format("G-Eval step-generation call to {} returned no output", turn.input().grader_id);
  const Value said = ObjectOf(reply);
  if (!said.is_map()) return "LLM-proposed evaluation steps are not in JSON format: " + ReplyText(reply);
  return said.ListAt("steps").empty() ? "LLM does not propose any evaluation step" : "";
}

// The same of a score.
std::string ScoreFault(const GraderTurn& turn, const Value& reply) {
  if (IsEmptyReply(reply))
    return fmt::format("G-Eval evaluation call to {} returned no output", turn.input().grader_id);
  const Value said = ObjectOf(reply);
  if (!said.is_map()) return "LLM-proposed evaluation result is not in JSON format: " + ReplyText(reply);
  const Value* score = said.Find("score");
  const bool is_score = score != nullptr && (score->is_number() || score->is_string());
  const double number = is_score ? JsNumber(*score) : std::nan("");
  if (std::isnan(number)) return "G-Eval result has invalid or missing score: " + Raw(said, "score");
  if (FindText(said, "reason") == nullptr)
    return "G-Eval result has invalid or missing reason: " + Raw(said, "reason");
  if (number < 0 || number > kScoreMax)
    return fmt::format("G-Eval result score {} is outside the expected 0-10 range", JsString(*score));
  return "";
}

Result<std::vector<std::string>> Criteria(const GraderTurn& turn) {
  const Value& value = turn.call.value;
  if (value.is_list() && value.AsList().empty()) return std::vector<std::string>();
  return TextsOf(turn.call);
}

GraderMove AskFor(const GraderTurn& turn, const std::string& criterion, bool for_steps) {
  Map names = Object{{"criteria", criterion}};
  if (for_steps) return Ask("g-eval-steps", std::move(names));
  const Value said = ObjectOf(turn.replies.back());
  std::vector<std::string> steps;
  for (const Value& step : said.ListAt("steps")) steps.push_back(JsString(step));
  Extend(names, {{"steps", fmt::format("{}", fmt::join(steps, "\n- "))},
                 {"input", *turn.input().prompt},
                 {"output", turn.call.text},
                 {"maxScore", kScoreMax}});
  return Ask("g-eval", std::move(names));
}

}  // namespace

Result<GraderMove> NextGEval(const GraderTurn& turn) {
  ASSAY_TRY(const std::vector<std::string> criteria, Criteria(turn));
  if (criteria.empty())
    return GraderFailed("G-Eval assertion requires at least one criterion string in the value array.");
  if (!turn.input().prompt)
    return Error{ErrorCode::kInvalidInput, "\"g-eval\" judges the answer to a prompt, and there is none",
                 turn.assertion().value.span};
  double sum = 0;
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < turn.replies.size(); ++i) {
    const bool is_score = i % kCallsEach == 1;
    const Value& reply = turn.replies[i];
    const std::size_t criterion = i / kCallsEach;
    const std::string fault = is_score ? ScoreFault(turn, reply) : StepsFault(turn, reply);
    if (!fault.empty() && criteria.size() == 1) return GraderFailed(fault);
    if (!fault.empty())
      return GraderFailed(fmt::format("G-Eval criterion {}/{} (\"{}\") failed: {}", criterion + 1,
                                      criteria.size(), criteria[criterion], fault));
    if (!is_score) continue;
    const Value said = ObjectOf(reply);
    sum += JsNumber(*said.Find("score")) / kScoreMax;
    reasons.push_back(said.TextAt("reason"));
  }
  const std::size_t next = turn.replies.size();
  if (next < criteria.size() * kCallsEach)
    return AskFor(turn, criteria[next / kCallsEach], next % kCallsEach == 0);
  const double score = sum / static_cast<double>(criteria.size());
  const Threshold least = ThresholdOr(turn.assertion(), kGEvalThreshold);
  return Done(Turned({score >= least.number, score, fmt::format("{}", fmt::join(reasons, "\n\n"))},
                     turn.Turns(true)));
}

}  // namespace assay::promptfoo
