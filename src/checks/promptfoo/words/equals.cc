// equals, starts-with and regex: the whole output, its beginning, or a pattern in it.
#include <fmt/core.h>

#include "checks/promptfoo/families.h"
#include "text/javascript/regex.h"
#include "text/javascript/values.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

bool IsPlain(const Value& value) { return value.is_string() || value.is_number() || value.is_bool(); }

Result<std::string> PatternOf(const AssertionCall& call) {
  if (!call.value.is_string() || call.value.AsString().empty()) return BadValue(call, "a text");
  return call.value.AsString();
}

}  // namespace

Result<AssertionResult> RunEquals(const AssertionCall& call) {
  bool holds = false;
  std::string shown;
  if (IsPlain(call.value)) {
    shown = JsString(call.value);
    holds = shown == call.text;
  } else {
    shown = JsJson(call.value);
    const Result<Value> parsed = ParseJson(call.text);
    holds = parsed.has_value() && SameValue(*parsed, call.value);
  }
  return Verdict(call, holds,
                 fmt::format("Expected output \"{}\" to {}equal \"{}\"", call.text, call.Not(), shown));
}

Result<AssertionResult> RunStartsWith(const AssertionCall& call) {
  ASSAY_TRY(const std::string wanted, PatternOf(call));
  return Verdict(call, call.text.starts_with(wanted),
                 fmt::format("Expected output to {}start with \"{}\"", call.Not(), wanted));
}

Result<AssertionResult> RunRegex(const AssertionCall& call) {
  ASSAY_TRY(const std::string wanted, PatternOf(call));
  const auto pattern = JsRegex::Compile(wanted, JsRegexFlags::kNone);
  if (!pattern) return AssertionResult{false, 0, "Invalid regex pattern: " + pattern.error().message};
  RegexSubject subject(call.text);
  const Result<bool> holds = (*pattern)->Search(subject);
  if (!holds) return AssertionResult{false, 0, holds.error().message};
  return Verdict(call, *holds, fmt::format("Expected output to {}match regex \"{}\"", call.Not(), wanted));
}

}  // namespace assay::promptfoo
