// The keys of a row of [prices] and [models], one table row each, and their checks.
#include "cli/settings/file/settings_models.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "providers/facts/fact_names.h"

namespace assay {

namespace {

constexpr std::pair<std::string_view, std::optional<bool> OwnFacts::*> kSwitches[] = {
    {"temperature", &OwnFacts::temperature},
    {"top_p", &OwnFacts::top_p},
    {"top_k", &OwnFacts::top_k},
    {"responses_only", &OwnFacts::responses_only},
    {"keep_think_tags", &OwnFacts::keeps_think_tags},
    {"schema", &OwnFacts::takes_schema},
};
constexpr std::pair<std::string_view, std::optional<std::int64_t> OwnFacts::*> kTokenCounts[] = {
    {"max_output", &OwnFacts::output_max},
    {"thinking_room", &OwnFacts::thinking_room},
};
constexpr std::string_view kEffortKey = "effort_as";
constexpr std::string_view kTakesKey = "takes";

template <class Rows>
auto FindRow(const Rows& rows, std::string_view key) {
  return std::find_if(std::begin(rows), std::end(rows), [key](const auto& row) { return row.first == key; });
}

void WarnUnknown(const Member& member, const std::vector<std::string_view>& known, std::string_view where,
                 Diagnostics& diagnostics) {
  const std::string_view near = DidYouMean(member.key, known);
  diagnostics.Warning("settings.unknown-key", fmt::format("unknown key {} in {}", Quoted(member.key), where),
                      member.key_span,
                      near.empty() ? "it has no effect" : fmt::format("did you mean \"{}\"?", near));
}

std::optional<double> NumberOf(const Value& value, double most) {
  const double number = value.is_number() ? value.AsNumber() : -1;
  return number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

// One part of a price; false if it is none.
bool ReadPricePart(const Member& part, Price& price, Diagnostics& diagnostics) {
  constexpr double kUsdMost = 1e6;
  constexpr double kTokensMost = 1e9;
  if (part.key == kPriceLongAbove) {
    const std::optional<double> tokens = NumberOf(part.value, kTokensMost);
    price.long_above_tokens = static_cast<std::int64_t>(tokens.value_or(0));
    return tokens.has_value();
  }
  const auto* key = std::find_if(std::begin(kPriceKeys), std::end(kPriceKeys),
                                 [&](const PriceKey& each) { return each.name == part.key; });
  if (key == std::end(kPriceKeys)) {
    std::vector<std::string_view> names{kPriceLongAbove};
    for (const PriceKey& each : kPriceKeys) names.push_back(each.name);
    WarnUnknown(part, names, "a price", diagnostics);
    return true;
  }
  const std::optional<double> usd = NumberOf(part.value, kUsdMost);
  if (!usd) return false;
  if (key->required != nullptr) price.*key->required = *usd;
  if (key->optional != nullptr) price.*key->optional = usd;
  return true;
}

bool NamesModels(const Member& row) { return row.key.find(':') != std::string::npos && row.value.is_map(); }

std::optional<MediaKinds> MediaKindsOf(const Value& names) {
  MediaKinds kinds;
  if (!names.is_list()) return std::nullopt;
  for (const Value& name : names.AsList()) {
    const auto row = FindRow(kMediaKinds, name.is_string() ? name.AsString() : std::string());
    if (row == std::end(kMediaKinds)) return std::nullopt;
    kinds.*row->second = true;
  }
  return kinds;
}

// One key of [models."…"]; what was expected in its place, or "".
std::string ReadFact(const Member& fact, OwnFacts& own, Diagnostics& diagnostics) {
  constexpr double kTokensMost = 1e9;
  if (const auto row = FindRow(kSwitches, fact.key); row != std::end(kSwitches)) {
    if (!fact.value.is_bool()) return "true or false";
    own.*row->second = fact.value.AsBool();
    return {};
  }
  if (const auto row = FindRow(kTokenCounts, fact.key); row != std::end(kTokenCounts)) {
    const std::optional<double> tokens = NumberOf(fact.value, kTokensMost);
    if (!tokens) return "a number of tokens";
    own.*row->second = static_cast<std::int64_t>(*tokens);
    return {};
  }
  if (fact.key == kTakesKey) {
    own.takes = MediaKindsOf(fact.value);
    return own.takes ? std::string() : std::string("a list of image, pdf, audio, or of some of them");
  }
  std::vector<std::string_view> names;
  if (fact.key == kEffortKey) {
    const auto form = FindRow(kEffortForms, fact.value.is_string() ? fact.value.AsString() : std::string());
    if (form != std::end(kEffortForms)) {
      own.effort = form->second;
      return {};
    }
    std::string all;
    for (const auto& each : kEffortForms) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.first);
    return "one of " + all;
  }
  for (const auto& each : kSwitches) names.push_back(each.first);
  for (const auto& each : kTokenCounts) names.push_back(each.first);
  names.push_back(kEffortKey);
  names.push_back(kTakesKey);
  WarnUnknown(fact, names, "[models]", diagnostics);
  return {};
}

}  // namespace

std::optional<OwnFacts> ReadOwnPrice(const Member& row, Diagnostics& diagnostics, std::string& said) {
  Price price;
  bool is_usable =
      NamesModels(row) && row.value.Find("input") != nullptr && row.value.Find("output") != nullptr;
  if (is_usable) {
    for (const Member& part : row.value.AsMap())
      is_usable = ReadPricePart(part, price, diagnostics) && is_usable;
  }
  if (!is_usable) {
    diagnostics.Error("settings.value",
                      fmt::format("price of {}: expected US dollars for a million tokens", Quoted(row.key)),
                      row.value.span, "write \"provider:model\" = {input = 2.5, output = 10}");
    return std::nullopt;
  }
  if (price.long_above_tokens > 0) {
    if (row.value.Find("long_input") == nullptr) price.long_input_usd = price.input_usd;
    if (row.value.Find("long_output") == nullptr) price.long_output_usd = price.output_usd;
  }
  said = fmt::format("${} in, ${} out", price.input_usd, price.output_usd);
  return OwnFacts{.model = row.key, .price = price};
}

std::optional<OwnFacts> ReadOwnFacts(const Member& row, Diagnostics& diagnostics, std::string& said) {
  if (!NamesModels(row)) {
    diagnostics.Error(
        "settings.value",
        fmt::format("models: expected a table of \"provider:model\", found {}", Quoted(row.key)),
        row.key_span, "write [models.\"provider:model\"], then its keys");
    return std::nullopt;
  }
  OwnFacts own{.model = row.key};
  for (const Member& fact : row.value.AsMap()) {
    const std::string expected = ReadFact(fact, own, diagnostics);
    if (!expected.empty()) {
      diagnostics.Error("settings.value", fmt::format("{}: expected {}", fact.key, expected), fact.value.span,
                        "docs/providers.md lists what can be said of a model");
      return std::nullopt;
    }
    said += fmt::format("{}{}", said.empty() ? "" : ", ", fact.key);
  }
  return own;
}

}  // namespace assay
