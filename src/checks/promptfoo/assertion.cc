// Reads assertions, fills their values in, and hands them to the functions of the table.
#include "checks/promptfoo/assertion.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/errors/near_id.h"
#include "checks/promptfoo/call_of.h"
#include "checks/promptfoo/script/call.h"
#include "checks/promptfoo/script/context.h"
#include "checks/promptfoo/table.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kNegation = "not-";
constexpr std::string_view kFilePrefix = "file://";

Error UnknownType(std::string_view type, Span where) {
  std::vector<std::string_view> known;
  for (const AssertionRow& row : AssertionTable()) known.push_back(row.type);
  std::string_view bare = type;
  if (bare.starts_with(kNegation)) bare.remove_prefix(kNegation.size());
  return {ErrorCode::kInvalidInput,
          fmt::format("\"{}\" is no type of assertion{}", type, IdHint(bare, known)), where};
}

Span SpanOfType(const Value& written) {
  const Value* type = written.Find("type");
  return type == nullptr ? written.span : type->span;
}

// Lists and texts are templates, maps are not.
Result<Value> FilledIn(const Value& value, const AssertionInput& input) {
  if (!input.render || (value.is_string() && NamedExportOf(value.AsString()))) return value;
  if (value.is_string()) {
    if (value.AsString().starts_with(kFilePrefix))
      return Error{ErrorCode::kUnsupported,
                   fmt::format("\"{}\" was expected to be read before the assertion runs", value.AsString()),
                   value.span};
    ASSAY_TRY(std::string text, input.render(value.AsString(), input.vars));
    return Value(std::move(text));
  }
  if (!value.is_list()) return value;
  List list;
  for (const Value& item : value.AsList()) {
    if (!item.is_string()) {
      list.push_back(item);
      continue;
    }
    ASSAY_TRY(std::string text, input.render(item.AsString(), input.vars));
    list.emplace_back(std::move(text));
  }
  return Value(std::move(list));
}

// A value that names a function is what that says, but where the assertion itself is the function.
Status CallValue(AssertionCall& call) {
  const std::optional<NamedExport> named =
      call.value.is_string() ? NamedExportOf(call.value.AsString()) : std::nullopt;
  if (!named || call.assertion.row->type == "javascript") return Ok();
  ScriptOutcome said = CallNamed(*named, {call.output, ScriptContext(call)}, call.input);
  if (said.kind != ScriptOutcome::Kind::kValue)
    return Error{ErrorCode::kInvalidInput, fmt::format("{}: {}", call.value.AsString(), said.message),
                 call.assertion.value.span};
  call.value = std::move(said.value);
  return Ok();
}

// What our users mean: a score is a share, and NaN is none.
Status Clamp(const Assertion& assertion, AssertionResult& result) {
  if (std::isnan(result.score))
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the score of \"{}\" is NaN: expected a number from 0 to 1", assertion.type),
                 assertion.value.span};
  if (result.score >= 0 && result.score <= 1) return Ok();
  result.raw_score = result.score;
  result.score = std::clamp(result.score, 0.0, 1.0);
  return Ok();
}

}  // namespace

Result<AssertionCall> CallOf(const Assertion& assertion, const AssertionInput& input) {
  AssertionCall call{assertion, input, Value(), input.output, ""};
  if (!assertion.transform.empty()) {
    ASSAY_TRY(call.output, TransformedOutput(assertion.transform, input));
  }
  ASSAY_TRY(call.value, FilledIn(assertion.value, input));
  ASSAY_CHECK_OK(CallValue(call));
  call.text = call.output.is_string() ? call.output.AsString() : JsJson(call.output);
  return call;
}

Status Finish(const Assertion& assertion, const AssertionInput& input, AssertionResult& result) {
  if (input.policy.scores_are_shares) ASSAY_CHECK_OK(Clamp(assertion, result));
  if (assertion.weight == 0) result.pass = true;
  return Ok();
}

Result<Assertion> ReadAssertion(const Value& written) {
  Assertion assertion;
  const std::string& type = written.TextAt("type");
  if (type.empty())
    return Error{ErrorCode::kInvalidInput,
                 "an assertion has no type: expected for example {type: contains, value: Paris}",
                 written.span};
  assertion.type = type;
  std::string_view bare = assertion.type;
  if (bare.starts_with(kNegation)) {
    assertion.is_negated = true;
    bare.remove_prefix(kNegation.size());
  }
  assertion.row = FindAssertionRow(bare);
  if (assertion.row == nullptr) return UnknownType(type, SpanOfType(written));
  const auto member = [&](std::string_view key) {
    const Value* value = written.Find(key);
    return value == nullptr ? Value() : *value;
  };
  assertion.value = member("value");
  assertion.threshold = member("threshold");
  assertion.config = member("config");
  assertion.weight = written.NumberAt("weight").value_or(1);
  assertion.metric = written.TextAt("metric");
  assertion.transform = written.TextAt("transform");
  assertion.written = written.AsMap();
  return assertion;
}

Result<AssertionResult> RunAssertion(const Assertion& assertion, const AssertionInput& input) {
  if (assertion.row->run == nullptr)
    return Error{ErrorCode::kUnsupported,
                 fmt::format("assertions of type \"{}\" are not run here", assertion.type),
                 assertion.value.span};
  ASSAY_TRY(const AssertionCall call, CallOf(assertion, input));
  ASSAY_TRY(AssertionResult result, assertion.row->run(call));
  ASSAY_CHECK_OK(Finish(assertion, input, result));
  return result;
}

Result<std::vector<std::string>> TextsToEmbed(const Assertion& assertion, const AssertionInput& input) {
  ASSAY_TRY(const AssertionCall call, CallOf(assertion, input));
  std::vector<std::string> texts = {call.text};
  ASSAY_TRY(const std::vector<std::string> wanted, TextsOf(call));
  texts.insert(texts.end(), wanted.begin(), wanted.end());
  return texts;
}

}  // namespace assay::promptfoo
