// Reads one rubric point: a criterion, or a call of a function with its arguments, weight and citation.
#include "dialects/blueprint/read/point_items.h"

#include <fmt/core.h>

#include "dialects/blueprint/read/js_values.h"
#include "spec/exchange/keyed_headers.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

// `Function: NAME(ARGS)`: the name that results give to a call. What stands in its headers is nobody's to
// read.
std::string CallText(const PointItem& item) {
  const std::optional<Value> keyed = KeyedCopyOf(item.args);
  const std::string args = item.args.is_undefined()
                               ? std::string("undefined")
                               : WriteJson(keyed ? *keyed : item.args, JsonStyle::kJavaScript);
  return fmt::format("Function: {}({})", item.function, args);
}

const Member* DollarMember(const Map& fields) {
  for (const Member& member : fields) {
    if (member.key.starts_with('$')) return &member;
  }
  return nullptr;
}

// The function that a mapping calls, if it calls one.
void ReadCall(const Map& fields, PointItem& item) {
  if (const Value* fn = fields.Find("fn"); IsTruthy(fn)) {
    item.is_function = true;
    item.function = JsText(*fn);
    const Value* args = FirstPresent(fields, {"fnArgs", "arg"});
    if (args != nullptr && !args->is_null()) item.args = *args;
    return;
  }
  if (const Member* member = DollarMember(fields)) {
    item.is_function = true;
    item.function = member->key.substr(1);
    item.args = member->value;
  }
}

bool ReadMultiplier(const Map& fields, WeightNames weights, PointItem& item) {
  const Value* multiplier = weights == WeightNames::kBoth ? FirstPresent(fields, {"multiplier", "weight"})
                                                          : fields.Find("multiplier");
  if (multiplier == nullptr || multiplier->is_nullish()) return true;
  if (!multiplier->is_number()) return false;
  item.multiplier = multiplier->AsNumber();
  return !(item.multiplier < 0.1) && !(item.multiplier > 10);
}

}  // namespace

std::optional<PointItem> ReadPointItem(const Value& point, std::string_view prompt, WeightNames weights,
                                       Diagnostics& diagnostics) {
  const auto complain = [&](std::string_view message) {
    diagnostics.Error("blueprint.point", fmt::format("{}: {}", prompt, message), point.span,
                      "see what the definition under point_defs holds");
    return std::nullopt;
  };
  PointItem item;
  item.span = point.span;
  if (point.is_string()) {
    item.text = point.AsString();
    return item;
  }
  if (!point.is_map()) return complain(fmt::format("expected a criterion, found {}", KindName(point)));
  const Map& fields = point.AsMap();
  const Value* text = fields.Find("text");
  ReadCall(fields, item);
  if (item.is_function && IsTruthy(text))
    return complain("a criterion has either a text or a function, found both");
  if (!item.is_function && text == nullptr)
    return complain("a criterion needs a text or a function, found neither");
  if (!ReadMultiplier(fields, weights, item))
    return complain("weight of a criterion: expected a number from 0.1 to 10");
  item.text = item.is_function ? CallText(item) : JsText(*text);
  if (const Value* citation = fields.Find("citation")) item.citation = *citation;
  if (const Value* extract = fields.Find("extract")) item.extract = *extract;
  item.name = fields.TextAt("name");
  return item;
}

}  // namespace assay::blueprint
