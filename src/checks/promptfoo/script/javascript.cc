// Runs `javascript` assertions: what a snippet says of the output.
//   value   code: one line is an expression, several are the body of a function of (output, context,
//           process); or the name of a function of (output, context): file://PATH.js:FUNCTION
//   says    true or false; a number, which passes above 0, or from the threshold on; {pass, score, reason}
//   fails   what throws, takes too long, or says something else; turned around it fails as well
#include <fmt/core.h>

#include "checks/promptfoo/families.h"
#include "checks/promptfoo/script/call.h"
#include "checks/promptfoo/script/context.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/object.h"
#include "text/script/awaited.h"

namespace assay::promptfoo {
namespace {

AssertionResult ThrewError(std::string_view message, std::string_view code) {
  return {false, 0, fmt::format("Custom function threw error: {}\n{}", message, code)};
}

std::string ReturnedReason(bool holds, std::string_view code) {
  return fmt::format("Custom function returned {}{}{}", holds, code.empty() ? "" : "\n", code);
}

void AddNamedScores(const Value& said, AssertionResult& result) {
  for (const Member& member : said.MapAt("namedScores")) {
    if (member.value.is_number()) result.named_scores.emplace_back(member.key, member.value.AsNumber());
  }
}

AssertionResult ResultOfObject(const AssertionCall& call, const Value& said, std::string_view code) {
  const std::optional<bool> pass = said.BoolAt("pass");
  const std::optional<double> score = said.NumberAt("score");
  const std::string* reason = FindText(said, "reason");
  if (!pass || !score || reason == nullptr)
    return ThrewError(
        fmt::format("expected true, false, a number or {{pass, score, reason}}, found {}", JsJson(said)),
        code);
  AssertionResult result{*pass, *score, *reason};
  AddNamedScores(said, result);
  for (const Value& part : said.ListAt("componentResults")) {
    result.components.push_back(
        {part.BoolAt("pass").value_or(false), part.NumberAt("score").value_or(0), part.TextAt("reason")});
  }
  if (call.negated()) {
    result.pass = !result.pass;
    result.reason = result.pass ? std::string(kPassed) : ReturnedReason(true, "");
  }
  return result;
}

AssertionResult ResultOfNumber(const AssertionCall& call, double number, std::string_view code) {
  const std::optional<Threshold> least = ThresholdOf(call.assertion);
  const bool holds = least ? number >= least->number : number > 0;
  const bool pass = holds != call.negated();
  return {pass, number, pass ? std::string(kPassed) : ReturnedReason(holds, code)};
}

}  // namespace

Value ScriptContext(const AssertionCall& call) {
  const AssertionInput& input = call.input;
  Map response = Object{{"output", input.output}};
  if (!input.metadata.is_undefined()) response.Set("metadata", input.metadata);
  Map context;
  const auto set = [&](std::string_view name, Value value) {
    context.Set(std::string(name), std::move(value));
  };
  set("prompt", ScriptPrompt(input));
  set("vars", input.vars);
  set("test", input.test);
  set("logProbs", input.log_probs ? Value(ArrayOf(*input.log_probs)) : Value());
  set("provider", input.provider);
  set("providerResponse", std::move(response));
  if (!call.assertion.config.is_undefined()) set("config", call.assertion.config);
  if (!input.metadata.is_undefined()) set("metadata", input.metadata);
  return Value(std::move(context));
}

Result<AssertionResult> RunJavaScript(const AssertionCall& call) {
  if (!call.value.is_string()) return BadValue(call, "code as a text");
  const std::string code(JsTrim(call.value.AsString()));
  const std::optional<NamedExport> named = NamedExportOf(code);
  const ScriptOutcome outcome =
      named ? CallNamed(*named, {call.output, ScriptContext(call)}, call.input)
            : CallAwaited(FunctionBody(code),
                          {{"output", call.output}, {"context", ScriptContext(call)}, {"process", Value()}},
                          call.input.world);
  if (outcome.kind != ScriptOutcome::Kind::kValue) return ThrewError(outcome.message, code);
  const std::string& type = outcome.type_name;
  const Value& said = outcome.value;
  if (type == "boolean") {
    const bool pass = said.AsBool() != call.negated();
    return AssertionResult{pass, pass ? 1.0 : 0.0,
                           pass ? std::string(kPassed) : ReturnedReason(said.AsBool(), code)};
  }
  if (type == "number") return ResultOfNumber(call, said.AsNumber(), code);
  if (type == "object") return ResultOfObject(call, said, code);
  return ThrewError(fmt::format("expected true, false, a number or {{pass, score, reason}}, found {}", type),
                    code);
}

}  // namespace assay::promptfoo
