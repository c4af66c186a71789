// Builds the verdict schema, and reads a verdict by the rules of the plain reader.
#include "checks/judge/json.h"

#include <fmt/core.h>

#include "checks/judge/code_fence.h"
#include "checks/judge/judged_answer.h"
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

Value JudgeSchema(std::string_view code) {
  List classes;
  for (const JudgeClass& each : JudgeScale())
    classes.push_back(Value(code.empty() ? std::string(each.name) : fmt::format("{} {}", each.name, code)));
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

Result<JudgeVerdict> ParseJudgeJson(std::string_view text, const JudgedAnswer* answer) {
  const std::string_view whole = WithoutCodeFence(text);
  // A name that stands twice says two things.
  const Result<Value> read = ParseJson(whole, RepeatedKeys::kRefuse);
  if (!read || !read->is_map()) return UnreadableReply("a judge's verdict as one JSON object", text);
  const Value* reflection = read->Find(kReflection);
  const Value* classification = read->Find(kClassification);
  if (reflection == nullptr || !reflection->is_string() || classification == nullptr ||
      !classification->is_string())
    return UnreadableReply(fmt::format("a verdict like {}", kJudgeJsonShape), text);
  const WrittenVerdict verdict{
      .whole = whole, .reflection = reflection->AsString(), .class_text = classification->AsString()};
  return answer == nullptr ? JudgedAnswer().Read(verdict) : answer->Read(verdict);
}

}  // namespace assay
