// tool-call-f1: how well the tools that an output calls are those that were wanted.
//   names   in {tool_calls: [{function: {name}}, or {name}]}, {type: tool_use, name}, {functionCall: {name}},
//           {toolCall: {functionCalls: [{name}]}}, and lists of these, {function: {name}} and {name}; of a
//           text its JSON, else that of each line that begins with a bracket
//   score   F1 of the two sets of names, the same where the assertion is negated
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "checks/promptfoo/families.h"
#include "text/found.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

using Names = std::set<std::string>;

void AddName(const Value& owner, Names& names) {
  const std::string& name = owner.TextAt("name");
  if (!name.empty()) names.insert(name);
}

void AddCallOf(const Value& call, Names& names) {
  const Value* function = call.Find("function");
  AddName(function != nullptr && function->is_map() ? *function : call, names);
}

void AddNames(const Value& output, Names& names) {
  if (output.is_list()) {
    for (const Value& item : output.AsList()) {
      AddNames(item, names);
      if (FindText(item, "type") == nullptr || item.TextAt("type") == "function") AddCallOf(item, names);
    }
    return;
  }
  for (const Value& call : output.ListAt("tool_calls")) AddCallOf(call, names);
  if (output.TextAt("type") == "tool_use") AddName(output, names);
  if (const Value* call = output.Find("functionCall")) AddName(*call, names);
  if (const Value* calls = output.Find("toolCall")) {
    for (const Value& call : calls->ListAt("functionCalls")) AddName(call, names);
  }
}

void AddNamesOfLines(std::string_view text, Names& names) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = JsTrim(text.substr(start, end - start));
    start = end + 1;
    if (!line.starts_with('{') && !line.starts_with('[')) continue;
    if (const Result<Value> parsed = ParseJson(line)) AddNames(*parsed, names);
  }
}

Names CalledNames(const Value& output) {
  Names names;
  if (!output.is_string()) {
    AddNames(output, names);
  } else if (const Result<Value> parsed = ParseJson(output.AsString())) {
    AddNames(*parsed, names);
  } else {
    AddNamesOfLines(output.AsString(), names);
  }
  return names;
}

Result<Names> WantedNames(const AssertionCall& call) {
  constexpr std::string_view kExpected =
      "a list of names of tools, or a text of them with commas between them";
  Names names;
  if (call.value.is_list() && !call.value.AsList().empty()) {
    for (const Value& name : call.value.AsList()) names.insert(JsString(name));
    return names;
  }
  if (!call.value.is_string()) return BadValue(call, kExpected);
  const std::string& text = call.value.AsString();
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view name = JsTrim(std::string_view(text).substr(start, end - start));
    if (!name.empty()) names.emplace(name);
    start = end + 1;
  }
  return names;
}

}  // namespace

Result<AssertionResult> RunToolCallF1(const AssertionCall& call) {
  ASSAY_TRY(const Names wanted, WantedNames(call));
  const Names called = CalledNames(call.output);
  const auto common = static_cast<double>(std::count_if(
      called.begin(), called.end(), [&](const std::string& name) { return wanted.contains(name); }));
  const double precision = called.empty() ? 0 : common / static_cast<double>(called.size());
  const double recall = wanted.empty() ? 0 : common / static_cast<double>(wanted.size());
  const double f1 = precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall);
  const Threshold least = ThresholdOr(call.assertion, 1);
  const bool pass = (f1 >= least.number) != call.negated();
  const std::string names =
      fmt::format("Expected: [{}], Called: [{}]", fmt::join(wanted, ", "),
                  called.empty() ? "(none)" : fmt::format("{}", fmt::join(called, ", ")));
  const std::string shares[] = {JsToFixed(f1, 3), JsToFixed(precision, 3), JsToFixed(recall, 3)};
  if (pass)
    return AssertionResult{true, f1,
                           fmt::format("Tool Call F1: {} (precision={}, recall={}). {}", shares[0], shares[1],
                                       shares[2], names)};
  return AssertionResult{
      false, f1,
      fmt::format("Tool Call F1 score {} is {} threshold {}. {}. Precision={}, Recall={}", shares[0],
                  call.negated() ? "above" : "below", least.text, names, shares[1], shares[2])};
}

}  // namespace assay::promptfoo
