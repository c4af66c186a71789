// Prompts <-> their JSON.
#include "dialects/blueprint/kept_prompts.h"

#include "spec/exchange/keyed_headers.h"
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

}  // namespace assay::blueprint
