// Builds the verdict schema, and reads a verdict by the rules of the plain reader.
#include "checks/judge/json.h"

#include <fmt/core.h>

#include <optional>

#include "base/text/ascii.h"
#include "checks/judge/judged_answer.h"
#include "checks/judge/reply_marks.h"
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

// A verdict as one object; a name that stands twice says two things.
std::optional<WrittenVerdict> VerdictIn(const Result<Value>& read) {
  if (!read || !read->is_map()) return std::nullopt;
  const Value* reflection = read->Find(kReflection);
  const Value* classification = read->Find(kClassification);
  if (reflection == nullptr || !reflection->is_string() || classification == nullptr ||
      !classification->is_string())
    return std::nullopt;
  return WrittenVerdict{.reflection = reflection->AsString(), .class_text = classification->AsString()};
}

// The verdict whose reflection ends with the code, whatever stands before it.
std::optional<JudgeVerdict> ReadCodedJson(std::string_view text, const Result<Value>& whole,
                                          std::string_view code) {
  if (const auto verdict = VerdictIn(whole)) {
    const CodedText reflection = WithoutCodeBehind(verdict->reflection, code);
    const JudgeClass* is = NamedClass(verdict->class_text);
    if (reflection.has_code && is != nullptr) return JudgeVerdict{is->score, reflection.rest};
  }
  const std::size_t at = AsciiLower(text).rfind(code);
  if (at == std::string::npos) return std::nullopt;
  // What follows the code is the end of an object whose beginning does not count.
  const std::string_view rest = WithoutMarksBehind(text.substr(at + code.size()));
  const Result<Value> ending =
      ParseJson(fmt::format(R"({{"{}":"{})", kReflection, rest), RepeatedKeys::kRefuse);
  const auto verdict = VerdictIn(ending);
  if (!verdict || !WithoutMarks(verdict->reflection).empty()) return std::nullopt;
  const JudgeClass* is = NamedClass(verdict->class_text);
  if (is == nullptr) return std::nullopt;
  return JudgeVerdict{is->score, std::string(WithoutMarksBehind(text.substr(0, at)))};
}

}  // namespace

// A service that holds the model to the schema writes for it what alone may follow. So the code must not
// stand in the schema.
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

Result<JudgeVerdict> ParseJudgeJson(std::string_view text, const JudgedAnswer* answer) {
  const std::string_view whole = WithoutCodeFence(text);
  const Result<Value> read = ParseJson(whole, RepeatedKeys::kRefuse);
  if (answer != nullptr && !answer->code().empty()) {
    if (auto coded = ReadCodedJson(whole, read, answer->code())) return *std::move(coded);
  }
  if (!read || !read->is_map()) return UnreadableReply("a judge's verdict as one JSON object", text);
  const auto verdict = VerdictIn(read);
  if (!verdict) return UnreadableReply(fmt::format("a verdict like {}", kJudgeJsonShape), text);
  return UncodedVerdict(*verdict, answer == nullptr ? JudgedAnswer() : *answer);
}

}  // namespace assay
