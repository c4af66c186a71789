// The schema of a verdict and its reader.
#include "checks/judge/json.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr char kReflection[] = "reflection";
constexpr char kClassification[] = "classification";

Error UnreadableJson(std::string_view expected, std::string_view found) {
  return {ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(found))};
}

// How often `"name":` stands in a JSON text; inside of its strings the quotes are escaped.
std::size_t CountMembers(std::string_view text, std::string_view name) {
  const std::string quoted = fmt::format("\"{}\"", name);
  std::size_t count = 0;
  for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + quoted.size());
    const bool is_escaped = at > 0 && text[at - 1] == '\\';
    count += !is_escaped && next != std::string_view::npos && text[next] == ':' ? 1 : 0;
  }
  return count;
}

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
  const Result<Value> read = ParseJson(JsTrim(text));
  if (!read || !read->is_map()) return UnreadableJson("a judge's verdict as a JSON object", text);
  const Value* reflection = read->Find(kReflection);
  const Value* classification = read->Find(kClassification);
  if (reflection == nullptr || !reflection->is_string() || classification == nullptr ||
      !classification->is_string())
    return UnreadableJson(fmt::format("a verdict like {}", kJudgeJsonShape), text);
  // A name that stands twice says two things; the parser keeps only the last.
  for (const std::string_view name : {kReflection, kClassification}) {
    if (CountMembers(text, name) != 1) return UnreadableJson(fmt::format("one {}", name), text);
  }
  const std::string& name = classification->AsString();
  const auto scale = JudgeScale();
  const auto found =
      std::find_if(scale.begin(), scale.end(), [&](const JudgeClass& each) { return each.name == name; });
  if (found == scale.end()) return UnreadableJson("a class of the judge's scale (CLASS_EXACT)", name);
  return JudgeVerdict{found->score, std::string(JsTrim(reflection->AsString()))};
}

}  // namespace assay
