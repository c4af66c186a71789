// Normalises rubric points: texts, function calls, texts with a citation, alternative paths, references to
// definitions (spec: blueprint 6).
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/limits.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/read/parse.h"
#include "dialects/limits.h"
#include "text/object.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kFormsHint =
    "write a text, \"$function: argument\", \"text: citation\", or {text, weight, citation}";

void Complain(const PointScope& scope, std::string code, std::string_view message, Span at,
              std::string hint = {}) {
  scope.context.diagnostics.Error(std::move(code), fmt::format("{}: {}", scope.prompt, message), at,
                                  std::move(hint));
}

Value TextPoint(Value text) {
  const Span span = text.span;
  Value result(Object{{"text", std::move(text)}, {"multiplier", 1}});
  result.span = span;
  return result;
}

// Whether a row made the text, which then is words.
bool IsOfRow(const std::string& text, const PointScope& scope) {
  const FilledPrompt* filled = scope.context.filled.get();
  return filled != nullptr &&
         std::find(filled->calls.begin(), filled->calls.end(), text) == filled->calls.end();
}

Value FromText(Value text, const PointScope& scope) {
  const std::string& written = text.AsString();
  if (written.size() < 2 || written[0] != '$' || IsOfRow(written, scope)) return TextPoint(std::move(text));
  LintQuotedFunction(text, scope);
  Value result(Object{{"fn", written.substr(1)}, {"multiplier", 1}});
  result.span = text.span;
  return result;
}

Value TakeMultiplier(Map& fields, const PointScope& scope) {
  Value multiplier = TakeFirstPresent(fields, RowOf(kCallKeys, "weight"));
  if (multiplier.is_nullish()) return Value(1);
  // weval lets NaN pass, and every mean with it.
  const bool is_nan = multiplier.is_number() && std::isnan(multiplier.AsNumber());
  if (!Fits(kWeightShape, multiplier) || (is_nan && !scope.context.LikeWeval())) {
    Complain(scope, "blueprint.point-weight",
             fmt::format("weight of a criterion: expected a number from 0.1 to 10, found {}",
                         Quoted(JsText(multiplier))),
             multiplier.span, NumberInQuotesHint(multiplier));
    return Value(1);
  }
  return multiplier;
}

// A function's name after repair; undefined, with an error, if it is no text.
Value RepairedFunction(Value fn, const PointScope& scope) {
  if (!fn.Truthy()) return fn;
  if (!fn.is_string()) {
    Complain(scope, "blueprint.point", fmt::format("fn: expected a function's name, found {}", KindName(fn)),
             fn.span);
    return fn;  // Finished drops the point
  }
  const Span span = fn.span;
  fn = Value(RepairedName(fn.AsString()));
  fn.span = span;
  return fn;
}

// What is graded of the answer, and under which name. Ours: weval has no such keys.
void TakeOwnKeys(Map& fields, Map& point, const PointScope& scope) {
  if (scope.context.LikeWeval()) return;
  if (Value extract = Take(fields, "extract"); !extract.is_undefined()) {
    if (CheckExtract(extract, fmt::format("{}: ", scope.prompt), scope.context))
      point.Append("extract", std::move(extract));
  }
  Value name = Take(fields, "name");
  if (name.is_nullish()) return;
  if (Fits(RowOf(kCallKeys, "name").shape, name)) {
    point.Append("name", std::move(name));
  } else {
    Complain(scope, "blueprint.point-name",
             fmt::format("name of a criterion: expected a text, found {}", KindName(name)), name.span,
             "write the name of the score: name: strict");
  }
}

// {$name: argument, weight, citation, extract, name}
Map FromDollarKey(Map& fields, Member& call, const PointScope& scope) {
  constexpr std::size_t kMembersMax = 6;
  Map point;
  point.Reserve(kMembersMax);
  Value fn(call.key.substr(1));
  fn.span = call.key_span;
  point.Append("fn", RepairedFunction(std::move(fn), scope), call.key_span);
  Value argument = std::move(call.value);
  point.Append("fnArgs", std::move(argument), call.key_span);
  point.Append("multiplier", TakeMultiplier(fields, scope));
  if (Value citation = Take(fields, "citation"); !citation.is_undefined())
    point.Append("citation", std::move(citation));
  TakeOwnKeys(fields, point, scope);
  return point;
}

// {text | point | fn, fnArgs | arg, weight | multiplier, citation}
Map FromFullObject(Map& fields, const PointScope& scope) {
  Map point;
  point.Append("text", TakeFirstTruthy(fields, RowOf(kSubjectKeys, "text")));
  point.Append("fn", RepairedFunction(Take(fields, "fn"), scope));
  point.Append("fnArgs", TakeFirstTruthy(fields, RowOf(kSubjectKeys, "fnArgs")));
  point.Append("multiplier", TakeMultiplier(fields, scope));
  point.Append("citation", Take(fields, "citation"));
  TakeOwnKeys(fields, point, scope);
  return point;
}

Map FromCitedText(Member& member) {
  Map point;
  Value text(member.key);
  text.span = member.key_span;
  point.Append("text", std::move(text), member.key_span);
  point.Append("citation", std::move(member.value), member.key_span);
  point.Append("multiplier", Value(1));
  return point;
}

// The point as a value; undefined after an error.
Value Finished(Map point, Span span, const PointScope& scope) {
  const bool has_text = IsTruthy(point.Find("text"));
  const bool has_function = IsTruthy(point.Find("fn"));
  if (has_text && has_function) {
    Complain(scope, "blueprint.point", "a criterion has either a text or a function, found both", span,
             "make two criteria of it");
    return Value();
  }
  if (!has_text && !has_function) {
    Complain(scope, "blueprint.point", "a criterion needs a text or a function, found an empty one", span,
             std::string(kFormsHint));
    return Value();
  }
  if (has_function && !point.Find("fn")->is_string()) return Value();
  Map defined;
  const auto is_defined = [](const Member& member) { return !member.value.is_undefined(); };
  if (std::all_of(point.begin(), point.end(), is_defined)) {
    defined = std::move(point);
  } else {
    for (Member& member : point) {
      if (is_defined(member)) defined.Append(std::move(member.key), std::move(member.value), member.key_span);
    }
  }
  Value result(std::move(defined));
  result.span = span;
  return result;
}

Value FromObject(Value object, const PointScope& scope) {
  const Span span = object.span;
  if (object.is_map()) {
    Map& fields = object.AsMap();
    for (Member& member : fields) {
      if (!member.key.starts_with('$')) continue;
      LintPoint(fields, scope);
      return Finished(FromDollarKey(fields, member, scope), span, scope);
    }
    if (IsTruthy(FirstTruthy(fields, {"text", "point", "fn"}))) {
      LintPoint(fields, scope);
      return Finished(FromFullObject(fields, scope), span, scope);
    }
    if (fields.size() == 1 && fields.begin()->value.is_string()) {
      LintPoint(fields, scope);
      return Finished(FromCitedText(*fields.begin()), span, scope);
    }
  }
  const std::string near = object.is_map() ? NearPointKey(object.AsMap()) : std::string();
  Complain(scope, "blueprint.point", fmt::format("expected a criterion, found {}", KindName(object)), span,
           near.empty() ? std::string(kFormsHint) : near);
  return Value();
}

bool IsNothing(const Value& value) {
  return value.is_nullish() || (value.is_list() && value.AsList().empty());
}

// One alternative path: a list of points that count together. Empty if nothing is left of it.
List FromPath(List path, Span span, const PointScope& scope) {
  const auto complain = [&](Span at) {
    Complain(scope, "blueprint.point", "an alternative contains criteria, found a list in it", at,
             "use one level of lists: each list is one way to satisfy the rubric");
  };
  if (!path.empty() && path.front().is_list()) {
    complain(span);
    return List();
  }
  List points;
  for (Value& item : path) {
    if (IsNothing(item)) continue;
    if (item.is_list()) {
      complain(item.span);
    } else if (item.is_string()) {
      LintPathText(item, scope);
      points.push_back(TextPoint(std::move(item)));
    } else if (IsJsObject(item)) {
      points.push_back(FromObject(std::move(item), scope));
    } else {
      Complain(scope, "blueprint.point", fmt::format("expected a criterion, found {}", KindName(item)),
               item.span, std::string(kFormsHint));
    }
  }
  return points;
}

// A point that is `$ref: name` becomes what the definitions hold under that name, as written there; undefined
// after an error.
Value Expanded(Value point, const PointScope& scope) {
  if (point.is_undefined()) return point;
  Map& fields = point.AsMap();
  const Value* fn = fields.Find("fn");
  if (fn == nullptr || !fn->is_string() || fn->AsString() != "ref") return point;
  const Value* args = fields.Find("fnArgs");
  const Value* name = args != nullptr && args->is_map() ? args->Find("name") : args;
  if (name == nullptr || !name->is_string()) {
    Complain(scope, "blueprint.ref", "$ref: expected the name of a definition", point.span,
             "write \"$ref: name\"");
    return Value();
  }
  const Value* definition = scope.definitions.Find(name->AsString());
  if (definition == nullptr) {
    // A nearest name costs time, and beyond the cap nobody would see it.
    const bool is_shown = scope.context.diagnostics.ErrorCount() < limits::kDiagnosticsMax;
    const std::string_view near =
        is_shown ? scope.definitions.NearestName(name->AsString()) : std::string_view();
    Complain(scope, "blueprint.ref", fmt::format("$ref: there is no definition {}", Quoted(name->AsString())),
             name->span,
             near.empty() ? "define it under point_defs in the header"
                          : fmt::format("did you mean \"{}\"?", near));
    return Value();
  }
  if (!scope.definitions.CountCopy(*definition)) {
    Complain(scope, "blueprint.limit",
             fmt::format("$ref: references copy more than {} MiB", limits::kReferenceBytesMax >> 20),
             point.span, "make the definitions shorter, or refer to them less often");
    return Value();
  }
  if (definition->is_string()) {
    Map script = Object{{"fn", "js"}, {"fnArgs", *definition}};
    for (const std::string_view key : {"multiplier", "citation", "extract", "name"}) {
      if (fields.Find(key) != nullptr) script.Append(std::string(key), Take(fields, key));
    }
    Value result(std::move(script));
    result.span = point.span;
    return result;
  }
  if (!IsJsObject(*definition)) {
    Complain(scope, "blueprint.ref",
             fmt::format("$ref: expected a text or a mapping as definition, found {}", KindName(*definition)),
             definition->span, "a text is a $js script; a mapping is a criterion");
    return Value();
  }
  Value result(SpreadToMap(*definition));
  result.span = point.span;
  return result;
}

}  // namespace

std::string RepairedName(std::string_view name) {
  struct Repair {
    std::string_view wrong, right;
  };
  for (const Repair& repair : {Repair{"contain", "contains"}, Repair{"match", "matches"}}) {
    if (name.starts_with(repair.wrong) && !name.starts_with(repair.right)) {
      return fmt::format("{}{}", repair.right, name.substr(repair.wrong.size()));
    }
  }
  return std::string(name);
}

Value NormalisePoints(Value block, std::string_view key, const PointScope& scope) {
  const Span span = block.span;
  Value result((List()));
  result.span = span;
  if (!block.is_list()) {
    LintRubricNotList(block, key, scope);
    return result;
  }
  List& points = result.AsList();
  points.reserve(block.AsList().size());
  for (Value& item : block.AsList()) {
    const Span item_span = item.span;
    if (item.is_string()) {
      points.push_back(Expanded(FromText(std::move(item), scope), scope));
    } else if (item.is_list()) {
      List path = FromPath(std::move(item.AsList()), item_span, scope);
      for (Value& point : path) point = Expanded(std::move(point), scope);
      std::erase_if(path, [](const Value& point) { return point.is_undefined(); });
      if (path.empty()) continue;
      points.push_back(Value(std::move(path)));
      points.back().span = item_span;
    } else if (IsJsObject(item)) {
      points.push_back(Expanded(FromObject(std::move(item), scope), scope));
    } else {
      Complain(scope, "blueprint.point", fmt::format("expected a criterion, found {}", KindName(item)),
               item_span, std::string(kFormsHint));
    }
  }
  std::erase_if(points, [](const Value& point) { return point.is_undefined(); });
  TakeOutUnknownFunctions(points, scope);
  LintArguments(points, scope);
  return result;
}

}  // namespace assay::blueprint
