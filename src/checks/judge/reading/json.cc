// Builds the verdict schema, and reads a verdict by the rules of the plain reader.
#include "checks/judge/reading/json.h"

#include <fmt/core.h>

#include <optional>

#include "base/text/ascii.h"
#include "checks/judge/reading/doubt.h"
#include "checks/judge/reading/judged_answer.h"
#include "checks/judge/reading/reply_marks.h"
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
std::optional<WrittenVerdict> VerdictIn(const Value& object) {
  const Value* reflection = object.Find(kReflection);
  const Value* classification = object.Find(kClassification);
  if (reflection == nullptr || !reflection->is_string() || classification == nullptr ||
      !classification->is_string())
    return std::nullopt;
  return WrittenVerdict{.reflection = reflection->AsString(), .class_text = classification->AsString()};
}

// The words of a value at any depth, the names of members included. A line for each.
void AddWords(const Value& value, std::string& words) {
  if (value.is_string()) words += value.AsString() + "\n";
  if (value.is_list()) {
    for (const Value& item : value.AsList()) AddWords(item, words);
  }
  if (!value.is_map()) return;
  for (const Member& each : value.AsMap()) {
    words += each.key + "\n";
    AddWords(each.value, words);
  }
}

// What an object says beside the two members that were asked for.
std::string OtherWords(const Map& object) {
  std::string words;
  for (const Member& each : object) {
    if (each.key == kReflection || each.key == kClassification) continue;
    words += each.key + "\n";
    AddWords(each.value, words);
  }
  return words;
}

// The verdict whose reflection ends with its class and the code. The classification may repeat both.
std::optional<JudgeVerdict> ReadCodedJson(const WrittenVerdict& verdict, std::string_view code) {
  const CodedEnd end = EndWithCode(verdict.reflection, code);
  const JudgeClass* repeated = HoldsCode(verdict.class_text, code) ? CodedClass(verdict.class_text, code)
                                                                   : NamedClass(verdict.class_text);
  if (end.is == nullptr || end.is != repeated || !end.stands_alone) return std::nullopt;
  if (GivesCodeToOther(end.before, code, *end.is)) return std::nullopt;
  return JudgeVerdict{end.is->score, std::string(end.before)};
}

// Words of a JSON string as they are meant, as far as their escapes are JSON's.
std::string Unescaped(std::string_view words) {
  constexpr std::string_view kEscapes = "nrtbf\"\\/";
  constexpr std::string_view kMeant = "\n\r\t\b\f\"\\/";
  std::string meant;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string_view rest = words.substr(at);
    const std::size_t which =
        rest.size() > 1 && rest[0] == '\\' ? kEscapes.find(rest[1]) : std::string_view::npos;
    if (which != std::string_view::npos) {
      meant += kMeant[which];
      ++at;
      continue;
    }
    constexpr std::size_t kEscapeBytes = 6;  // of "\u0041"
    const Result<Value> character = rest.starts_with("\\u")
                                        ? ParseJson(fmt::format("\"{}\"", rest.substr(0, kEscapeBytes)))
                                        : Result<Value>(Value());
    const bool is_escape = character && character->is_string();
    meant += is_escape ? std::string_view(character->AsString()) : rest.substr(0, 1);
    at += is_escape ? kEscapeBytes - 1 : 0;
  }
  return meant;
}

// The same of a reply that has words before its object, or whose string is no JSON because of what it quotes:
// what follows the code is the end of an object.
std::optional<JudgeVerdict> ReadCodedTail(std::string_view text, std::string_view code) {
  const std::size_t behind = AsciiLower(text).rfind(code) + code.size();
  const Result<Value> ending =
      ParseJson(fmt::format(R"({{"{}":"{})", kReflection, WithoutMarksBehind(text.substr(behind))),
                RepeatedKeys::kRefuse);
  if (!ending || !ending->is_map()) return std::nullopt;
  const auto tail = VerdictIn(*ending);
  if (!tail || !WithoutMarks(tail->reflection).empty()) return std::nullopt;
  const std::string reflection = Unescaped(text.substr(0, behind));
  return ReadCodedJson({.reflection = reflection, .class_text = tail->class_text}, code);
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
  const bool is_object = read && read->is_map();
  const auto verdict = is_object ? VerdictIn(*read) : std::nullopt;
  const std::string_view code = answer == nullptr ? std::string_view() : std::string_view(answer->code());
  if (HoldsCode(whole, code)) {
    if (auto coded = verdict ? ReadCodedJson(*verdict, code) : ReadCodedTail(whole, code))
      return *std::move(coded);
    return UnreadableReply(
        "the class and the code at the end of the reflection, in a sentence of their own, and no code beside "
        "another class",
        text);
  }
  if (!is_object) return UnreadableReply("a judge's verdict as one JSON object", text);
  if (!verdict) return UnreadableReply(fmt::format("a verdict like {}", kJudgeJsonShape), text);
  const std::string beside = OtherWords(read->AsMap());
  return UncodedVerdict(
      {.reflection = verdict->reflection, .class_text = verdict->class_text, .beside = beside},
      answer == nullptr ? JudgedAnswer() : *answer);
}

}  // namespace assay
