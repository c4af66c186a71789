// The table of graders, and what they share.
#include "checks/promptfoo/graders/grader.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/promptfoo/call_of.h"
#include "checks/promptfoo/graders/moves.h"
#include "checks/promptfoo/json/objects.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

GraderCalls OneCall(const Assertion&, const Map&) { return {1, 1, 0}; }
GraderCalls TwoCalls(const Assertion&, const Map&) { return {2, 2, 0}; }

std::uint32_t TextsIn(const Value& value) {
  return value.is_list() ? static_cast<std::uint32_t>(value.AsList().size()) : 1;
}

// Steps and a score for each criterion.
GraderCalls CallsOfGEval(const Assertion& assertion, const Map&) {
  const std::uint32_t calls = 2 * TextsIn(assertion.value);
  return {calls, calls, 0};
}

// Three questions, whose vectors are compared with that of the one asked.
GraderCalls CallsOfAnswerRelevance(const Assertion&, const Map&) { return {3, 3, 4}; }

// Each turn, and why some do not fit.
GraderCalls CallsOfConversation(const Assertion&, const Map& vars) {
  const std::size_t turns = std::max<std::size_t>(vars.ListAt("_conversation").size(), 1);
  return {static_cast<std::uint32_t>(turns), static_cast<std::uint32_t>(turns + 1), 0};
}

struct GraderRow {
  std::string_view type;
  Result<GraderMove> (*next)(const GraderTurn& turn);
  GraderCalls (*calls)(const Assertion& assertion, const Map& vars) = OneCall;
};
constexpr GraderRow kGraders[] = {
    {"llm-rubric", NextRubric},
    {"factuality", NextFactuality},
    {"model-graded-factuality", NextFactuality},
    {"model-graded-closedqa", NextClosedQa},
    {"g-eval", NextGEval, CallsOfGEval},
    {"context-recall", NextContextRecall},
    {"context-relevance", NextContextRelevance},
    {"context-faithfulness", NextContextFaithfulness, TwoCalls},
    {"answer-relevance", NextAnswerRelevance, CallsOfAnswerRelevance},
    {"conversation-relevance", NextConversationRelevance, CallsOfConversation},
};

const GraderRow* FindGrader(const Assertion& assertion) {
  const auto row = std::find_if(std::begin(kGraders), std::end(kGraders),
                                [&](const GraderRow& grader) { return grader.type == assertion.row->type; });
  return row == std::end(kGraders) ? nullptr : &*row;
}

}  // namespace

GraderCalls CallsOfAssertion(const Assertion& assertion, const Map& vars) {
  if (const GraderRow* row = FindGrader(assertion)) return row->calls(assertion, vars);
  if (!assertion.row->type.starts_with("similar")) return {};
  return {0, 0, 1 + TextsIn(assertion.value)};
}

Result<GraderMove> NextGraderMove(const Assertion& assertion, const AssertionInput& input,
                                  std::span<const Value> replies) {
  const GraderRow* row = FindGrader(assertion);
  if (row == nullptr)
    return Error{ErrorCode::kUnsupported,
                 fmt::format("\"{}\" is no assertion that asks a model", assertion.type),
                 assertion.value.span};
  ASSAY_TRY(const AssertionCall call, CallOf(assertion, input));
  ASSAY_TRY(GraderMove move, row->next({call, replies}));
  if (move.result) ASSAY_CHECK_OK(Finish(assertion, input, *move.result));
  return move;
}

GraderMove Ask(std::string_view step, Map names) {
  GraderMove move;
  move.request = GraderRequest{step, std::move(names)};
  return move;
}

GraderMove Done(AssertionResult result) {
  GraderMove move;
  move.result = std::move(result);
  return move;
}

GraderMove Failed(std::string reason) { return Done({false, 0, std::move(reason)}); }

GraderMove GraderFailed(std::string reason) {
  GraderMove move = Failed(std::move(reason));
  move.grader_failed = true;
  return move;
}

AssertionResult Turned(AssertionResult result, bool turns) {
  if (!turns) return result;
  result.pass = !result.pass;
  result.score = 1 - result.score;
  return result;
}

bool IsEmptyReply(const Value& reply) {
  return reply.is_nullish() || (reply.is_string() && reply.AsString().empty());
}

std::string ReplyText(const Value& reply) { return reply.is_string() ? reply.AsString() : JsJson(reply); }

Value ReplyObject(const Value& reply) {
  if (!reply.is_string()) return reply.is_map() ? reply : Value(Null{});
  const List objects = ObjectsIn(reply.AsString());
  return objects.empty() ? Value(Null{}) : objects.front();
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = JsTrim(text.substr(start, end - start));
    if (!line.empty()) lines.emplace_back(line);
    start = end + 1;
  }
  return lines;
}

AssertionResult ShareOfContext(const GraderTurn& turn, std::string_view name, double share) {
  const Threshold least = ThresholdOr(turn.assertion(), 0);
  const bool pass = share >= least.number;
  return Turned(
      {pass, share, fmt::format("{} {} is {} {}", name, JsToFixed(share, 2), pass ? ">=" : "<", least.text)},
      turn.Turns(false));
}

}  // namespace assay::promptfoo
