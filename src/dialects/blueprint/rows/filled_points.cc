// What rows may put into a rubric.
#include "dialects/blueprint/rows/filled_points.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "dialects/blueprint/read/parse.h"
#include "text/template/braces.h"
#include "text/template/written.h"

namespace assay::blueprint {

namespace {

// Functions that run code or ask somebody.
constexpr std::string_view kPowerful[] = {"js", "call", "factcheck", "unit_test", "ref"};
// The name of a function that a mapping calls, without `$` and `not_`; "": it calls none by this member.
std::string FunctionOf(const Member& member) {
  std::string name;
  if (member.key.starts_with('$')) name = RepairedName(std::string_view(member.key).substr(1));
  if (member.key == "fn" && member.value.is_string()) name = RepairedName(member.value.AsString());
  if (name.starts_with('$')) name.erase(0, 1);
  return name.starts_with("not_") ? name.substr(4) : name;
}

bool IsPowerful(std::string_view name) {
  return std::find(std::begin(kPowerful), std::end(kPowerful), name) != std::end(kPowerful);
}

// Arguments that functions count with: all of a list, or its first one.
struct Counting {
  std::string_view function;
  bool all = false;
};
constexpr Counting kCounting[] = {
    {"word_count_between", true}, {"tool_call_count_between", true}, {"contains_at_least_n_of"},
    {"icontains_at_least_n_of"},  {"matches_at_least_n_of"},         {"imatch_at_least_n_of"},
};

// Members of arguments that are numbers.
struct CountingMember {
  std::string_view function;
  std::string_view member;
};
constexpr CountingMember kCountingMembers[] = {
    {"numeric", "tolerance"}, {"numeric", "relative"}, {"choice", "of"},     {"count", "exactly"},
    {"count", "at_least"},    {"count", "at_most"},    {"bleu", "at_least"}, {"chrf", "at_least"},
    {"chrf", "words"},        {"rouge", "at_least"},   {"use", "at_most"},   {"edit_distance", "at_most"},
    {"script", "at_least"},
};

void SetNumbers(std::string_view function, Value& arguments) {
  if (!arguments.is_map()) return;
  for (const CountingMember& row : kCountingMembers) {
    Value* member = row.function == function ? arguments.AsMap().Find(row.member) : nullptr;
    if (member != nullptr) ReadFilledNumber(*member);
  }
}

void SetCounts(Map& call) {
  for (const Member& named : call) {
    const std::string function = FunctionOf(named);
    if (function.empty()) continue;
    for (const std::string_view key :
         {std::string_view(named.key), std::string_view("fnArgs"), std::string_view("arg")}) {
      if (Value* arguments = call.Find(key)) SetNumbers(function, *arguments);
    }
    const Counting* row = std::find_if(std::begin(kCounting), std::end(kCounting),
                                       [&](const Counting& each) { return each.function == function; });
    if (row == std::end(kCounting)) continue;
    for (const std::string_view key :
         {std::string_view(named.key), std::string_view("fnArgs"), std::string_view("arg")}) {
      Value* arguments = call.Find(key);
      if (arguments == nullptr || !arguments->is_list()) continue;
      for (Value& argument : arguments->AsList()) {
        ReadFilledNumber(argument);
        if (!row->all) break;
      }
    }
    return;
  }
}

void SetWords(Value& value, const SourceFiles& sources) {
  if (!value.is_number() && !value.is_bool()) return;
  const Span span = value.span;
  value = Value(*WrittenText(value, sources));
  value.span = span;
}

void FinishPoint(Value& point, const SourceFiles& sources) {
  if (point.is_list()) {
    for (Value& each : point.AsList()) FinishPoint(each, sources);
    return;
  }
  SetWords(point, sources);
  if (!point.is_map()) return;
  for (const std::string_view key : {"weight", "multiplier"}) {
    if (Value* weight = point.AsMap().Find(key)) ReadFilledNumber(*weight);
  }
  for (const std::string_view key : {"text", "citation"}) {
    if (Value* words = point.AsMap().Find(key)) SetWords(*words, sources);
  }
  SetCounts(point.AsMap());
}

}  // namespace

void ReadFilledNumber(Value& value) {
  if (!value.is_string()) return;
  const std::optional<double> number = PlainNumber(value.AsString());
  if (!number) return;
  const Span span = value.span;
  value = Value(*number);
  value.span = span;
}

bool IsCode(const Map& owner, const Member& member) {
  if (member.key.starts_with('$')) return FunctionOf(member) == "js";
  if (member.key != "fnArgs" && member.key != "arg") return false;
  const Member* function = owner.FindMember("fn");
  return function != nullptr && FunctionOf(*function) == "js";
}

void RefuseFunctions(const Value& taken, Span place, bool is_in_points, dataset::Problems& problems) {
  if (!is_in_points) return;
  if (taken.is_list()) {
    for (const Value& item : taken.AsList()) RefuseFunctions(item, place, true, problems);
  }
  if (!taken.is_map()) return;
  for (const Member& member : taken.AsMap()) {
    const std::string function = FunctionOf(member);
    if (IsPowerful(function)) {
      problems.Add({.code = "template.function",
                    .message = fmt::format("a row may not call ${}", function),
                    .hint = "write the function into the blueprint, with a template as its argument",
                    .where = taken.span.file == FileId::kNone ? place : taken.span,
                    .name = function});
    }
    RefuseFunctions(member.value, place, true, problems);
  }
}

void FinishPoints(const Value& written, const SourceFiles& sources, Value& block) {
  if (block.is_undefined()) return;
  if (written.is_string() && !block.is_list()) {
    const Span span = block.span;
    block = Value(List{std::move(block)});
    block.span = span;
  }
  if (!block.is_list()) return;
  // A call whose only argument is empty in this row is left out, as a criterion is.
  std::erase_if(block.AsList(), [](const Value& point) { return point.is_map() && point.AsMap().empty(); });
  for (Value& point : block.AsList()) FinishPoint(point, sources);
}

void AddCalls(const Value& written, std::vector<std::string>& calls) {
  if (!written.is_list()) return;
  for (const Value& item : written.AsList()) {
    if (item.is_string() && item.AsString().starts_with('$') && !HasBraces(item.AsString()))
      calls.push_back(item.AsString());
  }
}

}  // namespace assay::blueprint
