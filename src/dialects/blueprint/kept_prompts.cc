// Converts prompts between value trees and their JSON text.
#include "dialects/blueprint/kept_prompts.h"

#include "spec/exchange/keyed_headers.h"
#include "text/json/compact.h"
#include "text/json/json.h"

namespace assay::blueprint {

Value KeptPrompt(Value prompt) {
  const Value* id = prompt.Find("id");
  if (id == nullptr || !id->is_string()) return prompt;
  std::string text;
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

void WriteFound(std::string_view object, std::string_view key, std::string_view as, JsonStream& json) {
  const std::string_view value = FindJsonMember(object, key);
  if (value.empty()) return;
  json.Key(as);
  json.WriteCompact(value);
}

// Runs of older versions, and prompts that JSON cannot hold, are trees.
bool IsCopied(const Value& kept) {
  return kept.is_string() && kept.AsString().starts_with('{') && KeepsOrder(kept.AsString());
}

}  // namespace

void WritePrompt(const Value& kept, JsonStream& json) {
  IsCopied(kept) ? json.WriteCompact(kept.AsString()) : json.Write(PromptOf(kept));
}

void WritePromptMembers(const Value& kept, std::span<const std::string_view> keys, JsonStream& json) {
  json.OpenMap();
  if (IsCopied(kept)) {
    for (const std::string_view key : keys) WriteFound(kept.AsString(), key, key, json);
  } else {
    const Value prompt = PromptOf(kept);
    for (const std::string_view key : keys) {
      if (const Value* value = prompt.Find(key)) json.Member(key, *value);
    }
  }
  json.Close();
}

void WritePromptMember(const Value& kept, std::string_view key, std::string_view as, JsonStream& json) {
  if (IsCopied(kept)) return WriteFound(kept.AsString(), key, as, json);
  const Value prompt = PromptOf(kept);
  if (const Value* value = prompt.Find(key)) json.Member(as, *value);
}

}  // namespace assay::blueprint
