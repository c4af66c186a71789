// Wraps schemas for OpenAI's and Anthropic's protocols, and checks whether OpenAI takes one as strict.
#include "providers/shapes/request/answer_schema.h"

#include <algorithm>

#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr char kName[] = "answer";  // OpenAI wants one; the model may see it

Map NamedSchema(const Value& schema) {
  return Object{{"name", kName}, {"schema", schema}, {"strict", IsStrictSchema(schema)}};
}

bool AllRequired(const Value& properties, const Value* required) {
  if (required == nullptr || !required->is_list()) return properties.AsMap().empty();
  const List& names = required->AsList();
  return std::all_of(properties.AsMap().begin(), properties.AsMap().end(), [&](const Member& member) {
    return std::any_of(names.begin(), names.end(),
                       [&](const Value& name) { return name.is_string() && name.AsString() == member.key; });
  });
}

}  // namespace

bool IsStrictSchema(const Value& schema) {
  if (schema.is_list()) return std::all_of(schema.AsList().begin(), schema.AsList().end(), IsStrictSchema);
  if (!schema.is_map()) return true;
  const Value* properties = schema.Find("properties");
  const bool is_object = schema.TextAt("type") == "object";
  if (properties != nullptr && properties->is_map()) {
    if (schema.BoolAt("additionalProperties") != false || !AllRequired(*properties, schema.Find("required")))
      return false;
  } else if (is_object) {
    return false;
  }
  return std::all_of(schema.AsMap().begin(), schema.AsMap().end(), [](const Member& member) {
    if (member.key != "properties" && member.key != "$defs") return IsStrictSchema(member.value);
    if (!member.value.is_map()) return false;
    return std::all_of(member.value.AsMap().begin(), member.value.AsMap().end(),
                       [](const Member& each) { return IsStrictSchema(each.value); });
  });
}

std::string ChatResponseFormat(const Value& schema) {
  return WriteJson(Object{{"type", "json_schema"}, {"json_schema", NamedSchema(schema)}},
                   JsonStyle::kJavaScript);
}

std::string ResponsesTextFormat(const Value& schema) {
  Map format = Object{{"type", "json_schema"}};
  for (const Member& member : NamedSchema(schema)) format.Append(member.key, member.value);
  return WriteJson(Object{{"format", std::move(format)}}, JsonStyle::kJavaScript);
}

Value AnthropicOutputFormat(const Value& schema) {
  return Object{{"type", "json_schema"}, {"schema", schema}};
}

}  // namespace assay
