// Grades `$tool_args_match: {name, where, normalizeWhitespace?}`: 1 if some call of the tool has arguments
// that `where` accepts, else 0. Calls come from the answer's text (trace.h); calls without arguments
// never match.
//   where   a map or list: every key exists in the arguments with an equal value, maps and lists compared by
//   their keys,
//           so [1] accepts [1, 2] and {} accepts anything; a text: a JavaScript expression over `args`, a
//           failing one does not match; anything else matches nothing
//   error   arguments that have no keys (a text, a number) where `where` wants some
//   source  weval 51dc4d3 src/point-functions/tool_args_match.ts
//   known deviations: expressions run in the limits of `$js`; inherited names (toString) are no keys
#include <fmt/core.h>

#include <optional>

#include "base/text/utf8.h"
#include "checks/graders.h"
#include "checks/text/answer_script.h"
#include "checks/tools/trace.h"
#include "spec/suite/check.h"
#include "text/javascript/text.h"
#include "text/javascript/truth.h"

namespace assay {
namespace {

enum class Whitespace { kKept, kDropped };

struct ToolArgsRule {
  std::string name;
  Value where;
  Whitespace whitespace = Whitespace::kKept;
  bool is_turned_around = false;
};

std::string WithoutSpaces(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    if (!IsJsSpace(decoded.code_point)) kept.append(text.substr(at, decoded.size_bytes));
    at += decoded.size_bytes;
  }
  return kept;
}

bool HasKeys(const Value& value) { return value.is_map() || value.is_list(); }

// JavaScript's ===, for values without keys.
bool StrictlyEqual(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return a.AsNumber() == b.AsNumber();
  return !HasKeys(a) && SameValue(a, b);
}

Result<bool> Accepts(const Value& where, const Value& found, Whitespace whitespace);

Result<bool> AcceptsMember(const Value& where, const Value* found, Whitespace whitespace) {
  if (found == nullptr) return false;
  if (HasKeys(where)) return Accepts(where, *found, whitespace);
  if (where.is_string() && found->is_string() && whitespace == Whitespace::kDropped) {
    return WithoutSpaces(where.AsString()) == WithoutSpaces(found->AsString());
  }
  return StrictlyEqual(where, *found);
}

const Value* FindKey(const Value& value, std::string_view key) {
  if (value.is_map()) return value.AsMap().Find(key);
  for (std::size_t i = 0; i < value.AsList().size(); ++i) {
    if (key == std::to_string(i)) return &value.AsList()[i];
  }
  return nullptr;
}

// `where` has keys. The depth of both is bounded by their readers.
Result<bool> Accepts(const Value& where, const Value& found, Whitespace whitespace) {
  const std::size_t keys = where.is_map() ? where.AsMap().size() : where.AsList().size();
  if (keys == 0) return true;
  if (!HasKeys(found)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("expected arguments with named values to compare, found {}", KindName(found))};
  }
  if (where.is_map()) {
    for (const Member& member : where.AsMap()) {
      ASSAY_TRY(const bool accepted, AcceptsMember(member.value, FindKey(found, member.key), whitespace));
      if (!accepted) return false;
    }
    return true;
  }
  for (std::size_t i = 0; i < keys; ++i) {
    ASSAY_TRY(const bool accepted,
              AcceptsMember(where.AsList()[i], FindKey(found, std::to_string(i)), whitespace));
    if (!accepted) return false;
  }
  return true;
}

// An expression that fails accepts nothing. kLimit: it may not run any more.
Result<bool> Evaluate(const std::string& expression, const Value& arguments, const GradeInput& input,
                      WorkerState& worker) {
  ASSAY_TRY(const ScriptOutcome outcome,
            RunAnswerScript("(" + expression + "\n)", {{"args", arguments}}, input, worker));
  if (outcome.kind == ScriptOutcome::Kind::kOther) return true;
  return outcome.kind == ScriptOutcome::Kind::kValue && outcome.value.Truthy();
}

Score Grade(const GradeInput& input, const ToolArgsRule& rule, WorkerState& worker) {
  for (const TracedCall& call : ParseToolTrace(input.answer.text())) {
    if (call.name != rule.name || call.arguments.is_nullish()) continue;
    Result<bool> accepted = false;
    if (rule.where.is_string()) {
      accepted = Evaluate(rule.where.AsString(), call.arguments, input, worker);
    } else if (HasKeys(rule.where)) {
      accepted = Accepts(rule.where, call.arguments, rule.whitespace);
    }
    if (!accepted.has_value()) {
      // So many calls, each so slow to look at, are the answer's.
      if (accepted.error().code == ErrorCode::kLimit)
        return LostScore("no credit: $tool_args_match: " + accepted.error().message, rule.is_turned_around);
      return Score::Failure("$tool_args_match: " + accepted.error().message);
    }
    if (*accepted) return Score::Of(1);
  }
  return Score::Of(0);
}

}  // namespace

CheckArgs ParseToolArgsMatch(const ParseInput& input, Diagnostics& diagnostics) {
  const Value& args = input.check.args;
  const std::string& name = args.TextAt("name");
  if (name.empty()) {
    return UnusableArgs<ToolArgsRule>(
        TellUnexpected(input, "{name, where} with the name of a tool", diagnostics));
  }
  ToolArgsRule rule;
  rule.name = name;
  rule.is_turned_around = IsTurnedAround(input.check);
  if (const Value* where = args.Find("where")) rule.where = *where;
  if (IsTruthyAt(args, "normalizeWhitespace")) rule.whitespace = Whitespace::kDropped;
  if (!rule.where.is_string() && !HasKeys(rule.where)) {
    diagnostics.Warning(
        "check.ignored-argument",
        std::string("$tool_args_match: expected `where` to be a map or an expression, found ") +
            std::string(KindName(rule.where)) + "; no call can match",
        ArgsSpan(input.check));
  }
  return MakeArgs(std::move(rule));
}

Score GradeToolArgsMatch(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<ToolArgsRule, Grade>(input, args, worker);
}

}  // namespace assay
