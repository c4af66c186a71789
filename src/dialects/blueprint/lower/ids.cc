// Ids and hashes of blueprints, byte for byte as weval makes them.
#include "dialects/blueprint/lower/ids.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <fmt/core.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "dialects/blueprint/read/js_values.h"
#include "text/collate.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kPromptIdDigits = 12;
constexpr std::size_t kConfigHashDigits = 16;
constexpr std::array<std::string_view, 3> kReservedPrefixes = {"_pr_", "_staging_", "_test_"};

bool RemoveOneOf(std::string_view& text, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (!text.ends_with(ending)) continue;
    text.remove_suffix(ending.size());
    return true;
  }
  return false;
}

// Array.prototype.sort() without a comparison: by the UTF-16 order of String(x), undefined last.
void SortAsTexts(List& items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Value& a, const Value& b) { return CompareUtf16(JsText(a), JsText(b)) < 0; });
}

Value Copied(const Map& map, std::string_view key) {
  const Value* value = map.Find(key);
  return value == nullptr ? Value() : *value;
}

Value SortedList(const Map& config, std::string_view key) {
  Value list = Copied(config, key);
  if (list.is_list()) SortAsTexts(list.AsList());
  return list;
}

Value TemperatureSettings(const Map& config) {
  const Value* temperatures = config.Find("temperatures");
  if (temperatures == nullptr || !temperatures->is_list() || temperatures->AsList().empty()) {
    return Copied(config, "temperature");
  }
  if (temperatures->AsList().size() == 1) return temperatures->AsList().front();
  return SortedList(config, "temperatures");
}

Value PromptContent(const Value& prompt) {
  Map content;
  if (!prompt.is_map()) return content;
  for (const std::string_view key : {"id", "promptText", "idealResponse", "system", "points", "weight"}) {
    content.Append(std::string(key), Copied(prompt.AsMap(), key));
  }
  return content;
}

// By id, in the order of String.prototype.localeCompare.
void SortById(List& prompts) {
  std::vector<std::string> ids;
  ids.reserve(prompts.size());
  for (const Value& prompt : prompts) {
    const Value* id = prompt.Find("id");
    ids.push_back(id == nullptr ? "" : JsText(*id));
  }
  const std::vector<std::string> keys = LocaleSortKeys(ids);
  std::vector<std::size_t> order(prompts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  List sorted;
  sorted.reserve(prompts.size());
  for (const std::size_t index : order) sorted.push_back(std::move(prompts[index]));
  prompts = std::move(sorted);
}

}  // namespace

std::string CanonicalPrompt(const Value& prompt) {
  const Value* id = prompt.Find("id");
  if (id == nullptr || id->is_undefined()) return WriteJson(prompt, JsonStyle::kCanonical);
  Value without_id = prompt;
  without_id.AsMap().Erase("id");
  return WriteJson(without_id, JsonStyle::kCanonical);
}

std::string PromptContentId(const Value& prompt) {
  return "hash-" + HexPrefix(Sha256Of(CanonicalPrompt(prompt)), kPromptIdDigits);
}

std::string BlueprintIdFromPath(std::string_view path) {
  RemoveOneOf(path, {".civic.yml", ".civic.yaml"});
  RemoveOneOf(path, {".weval.yml", ".weval.yaml"});
  RemoveOneOf(path, {".yml", ".yaml"});
  RemoveOneOf(path, {".json"});
  std::string id;
  for (const char c : path) {
    if (c == '/') {
      id += "__";
    } else {
      id += c;
    }
  }
  return id;
}

std::string_view ReservedIdPrefix(std::string_view id) {
  for (const std::string_view prefix : kReservedPrefixes) {
    if (id.starts_with(prefix)) return prefix;
  }
  return {};
}

std::string EffectiveModelId(std::string_view model_id, const VariantSuffix& suffix) {
  std::string id(model_id);
  if (suffix.temperature) id += fmt::format("[temp:{}]", JsNumberText(*suffix.temperature));
  if (suffix.system_index) id += fmt::format("[sp_idx:{}]", *suffix.system_index);
  return id;
}

std::string ConfigContentHash(const Map& config) {
  Map content;
  content.Append("models", SortedList(config, "models"));
  content.Append("system", Copied(config, "system"));
  content.Append("systems", SortedList(config, "systems"));
  List prompts;
  if (const Value* all = config.Find("prompts"); all != nullptr && all->is_list()) {
    for (const Value& prompt : all->AsList()) prompts.push_back(PromptContent(prompt));
  }
  SortById(prompts);
  content.Append("prompts", std::move(prompts));
  content.Append("temperatureSettings", TemperatureSettings(config));
  return HexPrefix(Sha256Of(WriteJson(Value(std::move(content)), JsonStyle::kJavaScript)), kConfigHashDigits);
}

std::string RunLabelOf(std::string_view user_label, std::string_view config_hash) {
  const std::string_view label = JsTrim(user_label);
  return label.empty() ? std::string(config_hash) : fmt::format("{}_{}", label, config_hash);
}

}  // namespace assay::blueprint
