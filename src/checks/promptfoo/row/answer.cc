// Gathers what assertions look at, of the case, its row, the variant and the answer.
#include "checks/promptfoo/row/answer.h"

#include <algorithm>

#include "checks/promptfoo/script/call.h"
#include "checks/tools/trace.h"
#include "spec/suite/case.h"
#include "spec/suite/variant.h"
#include "text/javascript/values.h"
#include "text/object.h"

namespace assay::promptfoo {
namespace {

constexpr double kMicrosecondsOfMs = 1e3;
constexpr double kNanoOfDollar = 1e9;

Value MemberOf(const Value& of, std::string_view key) {
  const Value* member = of.Find(key);
  return member == nullptr ? Value() : *member;
}

// As it was sent: the prompt by its name, else the last words of the user.
std::optional<std::string> PromptAsSent(const GradeInput& grade) {
  if (grade.asked != nullptr) return grade.asked->text;
  const std::vector<Message>& history = grade.transcript.history;
  const auto last = std::find_if(history.rbegin(), history.rend(),
                                 [](const Message& message) { return message.role == Role::kUser; });
  return last == history.rend() ? std::nullopt : std::optional<std::string>(last->text);
}

Value CallAsTold(std::string_view id, const std::string& name, const std::string& arguments) {
  return Object{{"id", UnlessEmpty(std::string(id))},
                {"type", "function"},
                {"function", Object{{"name", name}, {"arguments", arguments}}}};
}

// The calls of a text that has nothing else, as a conversation writes them.
List CallsOnly(std::string_view text) {
  const std::vector<TracedCall> calls = ParseToolTrace(text);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  if (calls.size() != lines) return {};
  return ArrayOf(calls, [](const TracedCall& call) {
    return CallAsTold({}, call.name,
                      call.arguments.is_string() ? call.arguments.AsString() : JsJson(call.arguments));
  });
}

// The text; of an answer that only calls tools, its calls as chat services tell them.
Value AnswerAsSaid(const GradeInput& grade) {
  const std::string_view text = grade.answer.text();
  if (text.empty() && !grade.transcript.told.tool_calls.empty())
    return ArrayOf(grade.transcript.told.tool_calls,
                   [](const ToolCall& call) { return CallAsTold(call.id, call.name, call.arguments); });
  List calls = CallsOnly(text);
  return calls.empty() ? Value(text) : Value(std::move(calls));
}

// Those of the provider and of the test, in the order in which they are applied.
std::vector<std::string> TransformsOf(const GradeInput& grade, const Value& options) {
  std::vector<std::string> transforms;
  if (grade.variant != nullptr) transforms.push_back(grade.variant->details.TextAt("transform"));
  const std::string& own = options.TextAt("transform");
  transforms.push_back(own.empty() ? options.TextAt("postprocess") : own);
  std::erase(transforms, "");
  return transforms;
}

Result<Value> TransformedAnswer(const GradeInput& grade, const AssertionInput& input) {
  const std::vector<std::string> transforms = TransformsOf(grade, input.options);
  if (transforms.empty()) return input.output;
  AssertionInput changed = input;
  for (const std::string& code : transforms) {
    ASSAY_TRY(changed.output, TransformedOutput(code, changed));
  }
  return changed.output;
}

void AddUseTo(const AttemptUse& use, AssertionInput& input) {
  input.latency_ms = static_cast<double>(use.duration_us) / kMicrosecondsOfMs;
  if (use.nano_usd && use.usage.known) input.cost = static_cast<double>(*use.nano_usd) / kNanoOfDollar;
  input.finish_reason = use.finish_reason;
}

}  // namespace

Result<AssertionInput> AssertionInputOf(const GradeInput& grade, const AssertionRule& rule,
                                        WorkerState& worker) {
  const Value& row = *grade.the_case.row;
  AssertionInput input;
  input.vars = row.MapAt("vars");
  input.test = MemberOf(row, "test");
  input.options = MemberOf(input.test, "options");
  if (input.test.is_map()) input.test.AsMap().Set("vars", input.vars);
  input.prompt = PromptAsSent(grade);
  AddUseTo(grade.use, input);
  if (grade.variant != nullptr) input.provider = MemberOf(grade.variant->details, "provider");
  const Value& told = grade.transcript.told.details;
  input.metadata = told.is_map() ? told : Value(Map());
  input.render = [&worker](std::string_view text, const Map& vars) {
    return worker.Templates().Render(text, vars);
  };
  input.world = grade.world;
  input.policy = rule.policy;
  input.scripts = rule.scripts.get();
  input.output = AnswerAsSaid(grade);
  std::optional<Result<Value>>& transformed = grade.answer.transformed;
  if (!transformed) transformed = TransformedAnswer(grade, input);
  if (!*transformed) return transformed->error();
  input.output = **transformed;
  return input;
}

}  // namespace assay::promptfoo
