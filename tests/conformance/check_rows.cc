// Golden files of the checks: point functions, judges' replies, consensus and agreement, tool traces. All in
// the compatible mode.
#include <fmt/core.h>

#include <algorithm>

#include "checks/check.h"
#include "checks/tools/trace.h"
#include "dialects/blueprint/blueprint.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/suite_rules.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"

namespace assay::conformance {
namespace {

Role CheckRoleOf(const Value& message) {
  const std::string role = GetText(message, "role");
  if (role == "system") return Role::kSystem;
  return role == "assistant" ? Role::kAssistant : Role::kUser;
}

// Rows made from a blueprint's authored turns have null where a run has the model's answer.
bool HasMissingAnswer(const Value& list) {
  if (!list.is_list()) return false;
  return std::any_of(list.AsList().begin(), list.AsList().end(),
                     [](const Value& message) { return Get(message, "content").is_null(); });
}

std::vector<Message> MessagesOf(const Value& list) {
  std::vector<Message> messages;
  if (!list.is_list()) return messages;
  for (const Value& message : list.AsList())
    messages.push_back({CheckRoleOf(message), GetText(message, "content")});
  return messages;
}

// weval's own tests hand native tool calls over beside the answer; in a run they are lines of the answer.
std::string AnswerWithCalls(std::string response, const Value& calls) {
  if (!calls.is_list()) return response;
  std::string lines;
  for (const Value& call : calls.AsList()) {
    const bool has_name = call.Find("name") != nullptr;
    lines += "TOOL_CALL " + (has_name ? WriteJson(call, JsonStyle::kJavaScript) : "{\"name\":\"\"}") + "\n";
  }
  return lines;
}

struct Question {
  std::string function;
  Value args;
  std::string answer;
  std::string variant_id = "test:model";
  std::vector<Message> history;
  bool invert = false;
};

Score GradeOf(const Question& question, WorkerState& worker) {
  const CheckRow* row = FindCheck(question.function);
  if (row == nullptr || row->grade == nullptr) return Score::Failure("there is no such function");
  Check check;
  check.kind = question.function;
  check.args = question.args;
  Diagnostics diagnostics;
  const CheckArgs args =
      row->parse({.check = check, .grading = BlueprintGradingRules(Compat::kWeval)}, diagnostics);
  if (args == nullptr) return Score::Failure("the arguments are refused");
  AnswerView answer(question.answer);
  Transcript transcript;
  transcript.history = question.history;
  const Case the_case;
  const GradeInput input{.answer = answer,
                         .transcript = transcript,
                         .variant_id = question.variant_id,
                         .the_case = the_case,
                         .world = {.now_ms = 1'763'700'000'000, .seed = 0}};  // a run has a start
  Score score = row->grade(input, args, worker);
  return question.invert ? Invert(std::move(score)) : score;
}

// {score, explain?} or {error: true}: what is compared of a result. Texts of errors are nobody's contract.
Value ResultOf(const Score& score) {
  Map result;
  if (score.state == ScoreState::kScored) {
    result.Append("score", score.value);
    if (!score.explanation.empty()) result.Append("explain", score.explanation);
  } else {
    result.Append("error", true);
  }
  return result;
}

Value ScoreResult(const Value& score, const Value& explain) {
  Map result;
  result.Append("score", score.is_bool() ? Value(score.AsBool() ? 1 : 0) : score);
  if (explain.is_string() && !explain.AsString().empty()) result.Append("explain", explain);
  return result;
}

// What a point function of the golden file gave, in the same form.
Value WantedResult(const Value& row) {
  const Value& result = Get(row, "result");
  if (row.Find("throws") != nullptr || result.Find("error") != nullptr) return ErrorResult();
  if (result.is_map()) return ScoreResult(Get(result, "score"), Get(result, "explain"));
  return ScoreResult(result, {});
}

Outcome RunPoints(const std::string& path) {
  WorkerState worker;
  return ForEachLine(path, [&worker](std::size_t, const Value& row, Outcome& outcome) {
    Question question;
    question.function = GetText(row, "fn");
    question.args = Get(row, "args");
    question.answer = GetText(row, "response");
    if (const Value* context = row.Find("context")) {
      const Value& prompt = Get(*context, "prompt");
      question.variant_id = GetText(*context, "modelId");
      question.history = MessagesOf(Get(prompt, "messages"));
      question.answer = AnswerWithCalls(question.answer, Get(Get(prompt, "__modelResponse"), "toolCalls"));
    } else {
      question.history = {{Role::kUser, "hi"}};
    }
    outcome.Same(question.function + "(" + Show(question.args) + ")", WantedResult(row),
                 ResultOf(GradeOf(question, worker)));
  });
}

// What the evaluator made of a function: the reflection is the explanation, or the dialect's default
// sentence.
Value WantedAssessment(const Value& coverage, const Value& reflection, std::string_view function) {
  if (!coverage.is_number()) return ErrorResult();
  const bool is_default = reflection.is_string() && reflection.AsString().starts_with(
                                                        fmt::format("Function '{}' evaluated to ", function));
  return ScoreResult(coverage, is_default ? Value() : reflection);
}

Outcome RunRealPoints(const std::string& path) {
  WorkerState worker;
  return ForEachLine(path, [&worker](std::size_t, const Value& row, Outcome& outcome) {
    Question question;
    question.function = GetText(row, "fn");
    question.args = Get(row, "args");
    question.answer = GetText(row, "response");
    if (HasMissingAnswer(Get(row, "messages")) && !Get(row, "coverage").is_number()) {
      outcome.Skip("deliberate deviation: the script fails over a turn without text, which no run has");
      return;
    }
    question.history = MessagesOf(Get(row, "messages"));
    outcome.Same(Show(question.args),
                 WantedAssessment(Get(row, "coverage"), Get(row, "reflection"), question.function),
                 ResultOf(GradeOf(question, worker)));
  });
}

void RunFunctionAssessment(const Value& row, Outcome& outcome) {
  WorkerState worker;
  Question question;
  question.function = GetText(row, "fn");
  question.args = Get(row, "args");
  question.answer = GetText(row, "response");
  question.invert = Get(row, "isInverted").Truthy();
  const Value& assessment = Get(row, "result").AsList()[0];
  outcome.Same(
      Show(question.args),
      WantedAssessment(Get(assessment, "coverageExtent"), Get(assessment, "reflection"), question.function),
      ResultOf(GradeOf(question, worker)));
}

void RunToolTrace(const Value& row, Outcome& outcome) {
  List calls;
  for (const TracedCall& call : ParseToolTrace(GetText(row, "text"))) {
    Map entry;
    entry.Append("name", call.name);
    if (!call.arguments.is_undefined()) entry.Append("arguments", call.arguments);
    calls.push_back(std::move(entry));
  }
  outcome.Same("calls", Get(row, "result"), calls);
}

}  // namespace

std::span<const GoldenRow> CheckRows() {
  static constexpr GoldenRow kRows[] = {
      {"blueprint/points.jsonl", RunPoints},
      {"blueprint/real_points.jsonl", RunRealPoints},
  };
  return kRows;
}

std::span<const KindRow> CheckKinds() {
  static constexpr KindRow kRows[] = {
      {"blueprint/aggregate.jsonl", "function_assessment", RunFunctionAssessment},
      {"blueprint/misc_utils.jsonl", "tool_trace", RunToolTrace},
  };
  return kRows;
}

}  // namespace assay::conformance
