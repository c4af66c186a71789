// Computes ids and hashes byte for byte as weval does.
#include "dialects/blueprint/lower/ids.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <fmt/core.h>

#include "base/files/sink.h"
#include "base/hash.h"
#include "base/text/utf8.h"
#include "dialects/blueprint/read/js_values.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/json/stream.h"
#include "text/letters/collate.h"

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

void WriteMemberOf(const Map& map, std::string_view key, JsonStream& json) {
  if (const Value* value = map.Find(key)) json.Member(key, *value);
}

void WritePromptContent(const Value& prompt, JsonStream& json) {
  json.OpenMap();
  if (prompt.is_map()) {
    for (const std::string_view key : {"id", "promptText", "idealResponse", "system", "points", "weight"})
      WriteMemberOf(prompt.AsMap(), key, json);
  }
  json.Close();
}

// By id, in the order of String.prototype.localeCompare.
std::vector<std::size_t> OrderById(const List& prompts) {
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
  return order;
}

// Hashes what is written.
class HashSink final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    hash_.Update(bytes);
    return Ok();
  }
  Status Close() override { return Ok(); }
  Digest Finish() { return hash_.Finish(); }

 private:
  Sha256 hash_;
};

// Keys of criteria that say how an answer is graded, and not what the prompt is.
constexpr std::array<std::string_view, 2> kOwnPointKeys = {"extract", "name"};

template <class Prompt, class Visit>
void ForEachPoint(Prompt& prompt, const Visit& visit) {
  for (const std::string_view block : {"points", "should_not"}) {
    auto* points = prompt.is_map() ? prompt.AsMap().Find(block) : nullptr;
    if (points == nullptr || !points->is_list()) continue;
    for (auto& point : points->AsList()) {
      if (!point.is_list()) {
        visit(point);
        continue;
      }
      for (auto& each : point.AsList()) visit(each);
    }
  }
}

bool HasOwnKeys(const Value& prompt) {
  bool has_some = false;
  ForEachPoint(prompt, [&](const Value& point) {
    for (const std::string_view key : kOwnPointKeys) has_some = has_some || point.Find(key) != nullptr;
  });
  return has_some;
}

void EraseOwnKeys(Value& prompt) {
  ForEachPoint(prompt, [](Value& point) {
    if (!point.is_map()) return;
    for (const std::string_view key : kOwnPointKeys) point.AsMap().Erase(key);
  });
}

}  // namespace

std::string CanonicalPrompt(const Value& prompt) {
  const Value* id = prompt.Find("id");
  const bool has_own_keys = HasOwnKeys(prompt);
  if ((id == nullptr || id->is_undefined()) && !has_own_keys) return WriteJson(prompt, JsonStyle::kCanonical);
  Value without_id = prompt;
  without_id.AsMap().Erase("id");
  if (has_own_keys) EraseOwnKeys(without_id);
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
  if (suffix.shots_seed) id += fmt::format("[shots:{}]", *suffix.shots_seed);
  return id;
}

std::string ConfigContentHash(const Map& config) {
  HashSink sink;
  JsonStream json(sink, JsonStyle::kJavaScript);
  json.OpenMap();
  json.Member("models", SortedList(config, "models"));
  WriteMemberOf(config, "system", json);
  json.Member("systems", SortedList(config, "systems"));
  json.Key("prompts");
  json.OpenList();
  if (const Value* all = config.Find("prompts"); all != nullptr && all->is_list()) {
    for (const std::size_t index : OrderById(all->AsList())) WritePromptContent(all->AsList()[index], json);
  }
  json.Close();
  json.Member("temperatureSettings", TemperatureSettings(config));
  json.Close();
  static_cast<void>(json.Finish().has_value());  // a hash takes everything
  return HexPrefix(sink.Finish(), kConfigHashDigits);
}

std::string RunLabelOf(std::string_view user_label, std::string_view config_hash) {
  const std::string_view label = JsTrim(user_label);
  return label.empty() ? std::string(config_hash) : fmt::format("{}_{}", label, config_hash);
}

}  // namespace assay::blueprint
