// The keys of a row of [prices] and [models], one table row each, and their checks.
#include "cli/settings/file/settings_models.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "providers/facts/fact_names.h"
#include "providers/facts/service_prices.h"

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

// The tables of a row of [prices]: what a tier takes of the list price, and what a call of a service's own
// tool costs.
constexpr std::pair<std::string_view, OwnShares OwnFacts::*> kShareTables[] = {
    {"tiers", &OwnFacts::tiers},
    {"tools_usd", &OwnFacts::tools_usd},
};

// One of these tables; false if it is none. Tiers may have any word of a service; tools that are not known
// are not counted.
bool ReadShares(const Member& table, OwnShares& shares, Diagnostics& diagnostics) {
  constexpr double kShareMost = 1e6;
  if (!table.value.is_map()) return false;
  const std::vector<std::string_view> tools = PricedTools();
  for (const Member& each : table.value.AsMap()) {
    const std::optional<double> number = NumberOf(each.value, kShareMost);
    if (!number) return false;
    const bool counts =
        table.key != "tools_usd" || std::find(tools.begin(), tools.end(), each.key) != tools.end();
    if (!counts) WarnUnknown(each, tools, "tools_usd", diagnostics);
    if (counts) shares[each.key] = *number;
  }
  return true;
}

// What a row says, in words.
std::string SaidOf(const Price* price, const OwnFacts& own) {
  std::string said;
  if (price != nullptr) said = fmt::format("${} in, ${} out", price->input_usd, price->output_usd);
  const auto add = [&said](std::string_view before, double number, std::string_view name) {
    said += fmt::format("{}{}{} for {}", said.empty() ? "" : ", ", before, number, name);
  };
  for (const auto& [name, share] : own.tiers) add("x", share, name);
  for (const auto& [name, usd] : own.tools_usd) add("$", usd, name);
  return said;
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
  OwnFacts own{.model = row.key};
  bool is_usable = NamesModels(row);
  bool has_price = false;
  for (const Member& part : is_usable ? row.value.AsMap() : Map()) {
    if (const auto shares = FindRow(kShareTables, part.key); shares != std::end(kShareTables)) {
      is_usable = ReadShares(part, own.*shares->second, diagnostics) && is_usable;
      continue;
    }
    has_price = true;
    is_usable = ReadPricePart(part, price, diagnostics) && is_usable;
  }
  const bool is_whole = row.value.Find("input") != nullptr && row.value.Find("output") != nullptr;
  const bool says_something = has_price || !own.tiers.empty() || !own.tools_usd.empty();
  if (!is_usable || !says_something || (has_price && !is_whole)) {
    diagnostics.Error("settings.value",
                      fmt::format("price of {}: expected US dollars for a million tokens", Quoted(row.key)),
                      row.value.span,
                      "write \"provider:model\" = {input = 2.5, output = 10}; beside it or alone tiers = "
                      "{flex = 0.5} and tools_usd = {web_search = 0.01}");
    return std::nullopt;
  }
  said = SaidOf(has_price ? &price : nullptr, own);
  if (!has_price) return own;
  if (price.long_above_tokens > 0) {
    if (row.value.Find("long_input") == nullptr) price.long_input_usd = price.input_usd;
    if (row.value.Find("long_output") == nullptr) price.long_output_usd = price.output_usd;
  }
  own.price = price;
  return own;
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
