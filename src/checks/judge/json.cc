// Builds the verdict schema, and reads a verdict strictly: a missing or further member is an error.
#include "checks/judge/json.h"

#include <fmt/core.h>

#include <algorithm>

#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr char kReflection[] = "reflection";
constexpr char kClassification[] = "classification";

Map OfType(std::string_view type) {
  Map map;
  map.Append("type", type);
  return map;
}

}  // namespace

Value JudgeSchema() {
  List classes;
  for (const JudgeClass& each : JudgeScale()) classes.push_back(Value(each.name));
  Map classification = OfType("string");
  classification.Append("enum", Value(std::move(classes)));
  Map properties;  // the reflection first: a judge thinks before it decides
  properties.Append(kReflection, Value(OfType("string")));
  properties.Append(kClassification, Value(std::move(classification)));
  Map schema = OfType("object");
  schema.Append("properties", Value(std::move(properties)));
  schema.Append("required", Value(List{Value(kReflection), Value(kClassification)}));
  schema.Append("additionalProperties", Value(false));
  return Value(std::move(schema));
}

Result<JudgeVerdict> ParseJudgeJson(std::string_view text) {
  // A name that stands twice says two things, and so may a third member.
  const Result<Value> read = ParseJson(JsTrim(text), RepeatedKeys::kRefuse);
  if (!read || !read->is_map()) return UnreadableReply("a judge's verdict as a JSON object", text);
  const Value* reflection = read->Find(kReflection);
  const Value* classification = read->Find(kClassification);
  if (reflection == nullptr || !reflection->is_string() || classification == nullptr ||
      !classification->is_string() || read->AsMap().size() != 2)
    return UnreadableReply(fmt::format("a verdict like {}", kJudgeJsonShape), text);
  const std::string& name = classification->AsString();
  const auto scale = JudgeScale();
  const auto found =
      std::find_if(scale.begin(), scale.end(), [&](const JudgeClass& each) { return each.name == name; });
  if (found == scale.end()) return UnreadableReply("a class of the judge's scale (CLASS_EXACT)", name);
  return JudgeVerdict{found->score, std::string(JsTrim(reflection->AsString()))};
}

}  // namespace assay
