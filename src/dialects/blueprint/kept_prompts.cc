// Converts prompts between value trees and their JSON text.
#include "dialects/blueprint/kept_prompts.h"

#include <algorithm>
#include <vector>

#include "spec/exchange/keyed_headers.h"
#include "text/json/compact.h"
#include "text/json/json.h"

namespace assay::blueprint {

Value KeptPrompt(Value prompt) {
  const Value* id = prompt.Find("id");
  if (id == nullptr || !id->is_string()) return prompt;
  constexpr std::size_t kUsualBytes = 512;
  std::string text;
  text.reserve(kUsualBytes);
  const std::optional<Value> keyed = KeyedCopyOf(prompt);
  AppendTyped(keyed ? *keyed : prompt, text);
  // What JSON lacks is an object of one such key.
  if (text.find("\"__") != std::string::npos) return prompt;
  text.shrink_to_fit();
  return Value(std::move(text));
}

Value PromptOf(const Value& kept) {
  if (!kept.is_string()) return kept;
  Result<Value> prompt = ParseJson(kept.AsString());
  return prompt ? *std::move(prompt) : Value();
}

namespace {

// Of older versions, and of what JSON cannot hold, there are trees.
bool IsText(const Value& kept) { return kept.is_string() && kept.AsString().starts_with('{'); }

// Keys that a tree would put elsewhere are written where it has them.
void WriteKept(std::string_view text, JsonStream& json) {
  if (KeepsOrder(text)) return json.WriteCompact(text);
  const Result<Value> value = ParseJson(text);
  json.Write(value ? *value : Value());
}

}  // namespace

void WritePrompt(const Value& kept, JsonStream& json) {
  IsText(kept) ? WriteKept(kept.AsString(), json) : json.Write(PromptOf(kept));
}

void WritePromptMembers(const Value& kept, std::span<const std::string_view> keys, JsonStream& json) {
  json.OpenMap();
  if (IsText(kept)) {
    std::vector<std::string_view> values(keys.size());
    JsonMember member;
    for (std::size_t at = 1; NextJsonMember(kept.AsString(), at, member);) {
      const auto key = std::find(keys.begin(), keys.end(), member.key);
      if (key != keys.end()) values[static_cast<std::size_t>(key - keys.begin())] = member.value;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (values[i].empty()) continue;
      json.Key(keys[i]);
      WriteKept(values[i], json);
    }
  } else {
    const Value prompt = PromptOf(kept);
    for (const std::string_view key : keys) {
      if (const Value* value = prompt.Find(key)) json.Member(key, *value);
    }
  }
  json.Close();
}

void WritePromptMember(const Value& kept, std::string_view key, std::string_view as, JsonStream& json) {
  if (IsText(kept)) {
    const std::string_view value = FindJsonMember(kept.AsString(), key);
    if (value.empty()) return;
    json.Key(as);
    return WriteKept(value, json);
  }
  const Value prompt = PromptOf(kept);
  if (const Value* value = prompt.Find(key)) json.Member(as, *value);
}

}  // namespace assay::blueprint
