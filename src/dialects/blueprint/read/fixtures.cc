// Picks the recorded reply for a request: by prompt, model, turn and attempt, by the file's strategy.
#include "dialects/blueprint/read/fixtures.h"

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "dialects/blueprint/read/js_values.h"

namespace assay::blueprint {

namespace {

constexpr std::uint32_t kFnvOffset = 2166136261u;
constexpr std::uint32_t kFnvPrime = 16777619u;

// The member named `name`, else the first one whose key is a prefix of it and a "*"; null if there is none.
const Value* FindByPattern(const Value& map, std::string_view name) {
  if (!map.is_map()) return nullptr;
  if (const Value* exact = map.Find(name)) return exact;
  for (const Member& member : map.AsMap()) {
    const std::string_view key = member.key;
    if (key.ends_with('*') && name.starts_with(key.substr(0, key.size() - 1))) return &member.value;
  }
  return nullptr;
}

// The value for a model in {default, byModel}; `variant_id` is "" where only whole models have values.
const Value* ForModel(const Value& entry, std::string_view model_id, std::string_view variant_id) {
  const Value* by_model = entry.Find("byModel");
  const Value* found = by_model == nullptr || variant_id.empty() ? nullptr : by_model->Find(variant_id);
  if (by_model != nullptr && found == nullptr) found = FindByPattern(*by_model, model_id);
  return found == nullptr || found->is_nullish() ? entry.Find("default") : found;
}

std::unordered_map<std::string_view, const Value*> ByPrompt(const Value* section) {
  std::unordered_map<std::string_view, const Value*> by_prompt;
  if (section == nullptr || !section->is_map()) return by_prompt;
  for (const Member& member : section->AsMap()) by_prompt.emplace(member.key, &member.value);
  return by_prompt;
}

const Value* FindPrompt(const std::unordered_map<std::string_view, const Value*>& by_prompt,
                        std::string_view id) {
  const auto found = by_prompt.find(id);
  return found == by_prompt.end() ? nullptr : found->second;
}

// A class of the judges' scale as a judge would have answered.
std::string JudgeReplyOf(const Value& verdict) {
  std::string name = JsText(*verdict.Find("class"));
  if (!name.starts_with("CLASS_")) name.insert(0, "CLASS_");
  const Value* reflection = verdict.Find("reflection");
  return fmt::format("<reflection>{}</reflection>\n<classification>{}</classification>",
                     reflection == nullptr ? "recorded" : JsText(*reflection), name);
}

const Value* FindOrAny(const Value& map, std::string_view name) {
  const Value* found = map.Find(name);
  return found == nullptr ? map.Find("*") : found;
}

}  // namespace

std::uint32_t FixtureHash(std::string_view text) {
  std::uint32_t hash = kFnvOffset;
  for (const char16_t unit : ToUtf16(text)) hash = (hash ^ unit) * kFnvPrime;
  return hash;
}

FixtureBook::FixtureBook(Value fixtures) : fixtures_(std::move(fixtures)) {
  const Value* strategy = fixtures_.Find("strategy");
  strategy_ = strategy == nullptr ? "" : JsText(*strategy);
  const Value* seed = fixtures_.Find("seed");
  seed_ = seed == nullptr || seed->is_nullish() ? "0" : JsText(*seed);
  responses_ = ByPrompt(fixtures_.Find("responses"));
  judges_ = ByPrompt(fixtures_.Find("judges"));
}

std::size_t FixtureBook::ChosenIndex(std::size_t count, const FixtureKey& key, Compat compat) const {
  if (strategy_ == "first") return 0;
  if (strategy_ == "round-robin") return compat == Compat::kWeval ? 0 : key.attempt % count;
  std::string text = fmt::format("{}|{}|{}|{}", seed_, key.run_label, key.prompt_id, key.variant_id);
  // Repeats of a case draw anew; the first draw is weval's.
  if (key.attempt > 0) text += fmt::format("|{}", key.attempt);
  return FixtureHash(text) % count;
}

std::optional<FixturePick> FixtureBook::Pick(const FixtureKey& key, Compat compat) const {
  const Value* entry = FindPrompt(responses_, key.prompt_id);
  const std::string_view variant_id = compat == Compat::kWeval ? std::string_view() : key.variant_id;
  const Value* value = IsTruthy(entry) ? ForModel(*entry, key.model_id, variant_id) : nullptr;
  if (!IsTruthy(value)) return std::nullopt;
  FixturePick pick;
  if (value->is_string()) {
    pick.final_text = value->AsString();
    return pick;
  }
  if (value->is_list()) {
    const List& list = value->AsList();
    if (!list.empty()) pick.final_text = JsText(list[ChosenIndex(list.size(), key, compat)]);
    return pick;
  }
  const Value* turns = value->Find("turns");
  const bool has_turns = turns != nullptr && turns->is_list();
  const Value* last = compat == Compat::kWeval ? nullptr : value->Find("final");
  if (!has_turns && last == nullptr) return std::nullopt;
  if (has_turns) {
    for (const Value& turn : turns->AsList()) pick.turns.push_back(JsText(turn));
  }
  if (last != nullptr) pick.final_text = JsText(*last);
  return pick;
}

std::optional<std::string> FixtureBook::PickKeyPoints(std::string_view prompt_id) const {
  const Value* key_points = fixtures_.Find("keyPoints");
  const Value* points = key_points == nullptr ? nullptr : key_points->Find(prompt_id);
  if (points == nullptr) return std::nullopt;
  std::string reply;
  for (const Value& point : points->AsList()) {
    reply += fmt::format("<key_point>{}</key_point>\n", point.AsString());
  }
  return reply;
}

std::optional<std::string> FixtureBook::PickJudgeReply(const JudgeFixtureKey& key) const {
  const Value* prompt = FindPrompt(judges_, key.prompt_id);
  if (prompt == nullptr) prompt = FindPrompt(judges_, "*");
  const Value* reply = prompt == nullptr ? nullptr : FindOrAny(*prompt, key.criterion);
  if (reply != nullptr && (reply->Find("byModel") != nullptr || reply->Find("default") != nullptr)) {
    reply = ForModel(*reply, key.model_id, key.variant_id);
  }
  if (reply != nullptr && reply->is_map() && reply->Find("class") == nullptr) {
    const Value* backup = key.is_backup ? reply->Find("backup") : nullptr;
    reply = backup != nullptr ? backup : FindByPattern(*reply, key.judge_model);
  }
  if (reply == nullptr) return std::nullopt;
  if (reply->is_string()) return reply->AsString();
  if (reply->Find("class") == nullptr) return std::nullopt;
  return JudgeReplyOf(*reply);
}

}  // namespace assay::blueprint
