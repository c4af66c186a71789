// Looks rows up in the tables of facts and prices.
#include <algorithm>
#include <cmath>
#include <string>

#include "providers/facts/context_window.h"
#include "providers/facts/fact_tables.h"
#include "providers/facts/model_facts.h"
#include "providers/facts/model_kinds.h"
#include "providers/facts/service_prices.h"
#include "spec/run/run_cost.h"

namespace assay {

namespace {

constexpr ProviderFacts kNothing = {};

const ProviderFacts& FactsOf(std::string_view provider) {
  const auto found = std::find_if(kFactTables.providers.begin(), kFactTables.providers.end(),
                                  [&](const ProviderFacts& each) { return each.provider == provider; });
  return found == kFactTables.providers.end() ? kNothing : *found;
}

// The narrowest of the rows that fit.
template <class Fact>
std::optional<Fact> Narrowest(std::span<const FactRow<Fact>> rows, std::string_view model) {
  const FactRow<Fact>* best = nullptr;
  for (const FactRow<Fact>& row : rows) {
    if (!FitsName(row.model, model)) continue;
    if (best == nullptr || IsNarrower(row.model, best->model)) best = &row;
  }
  return best == nullptr ? std::nullopt : std::optional(best->fact);
}

// The provider under whose name tiers and tools stand.
std::string_view SellerOf(std::string_view provider) {
  return provider == "openai-responses" || provider == "azure-openai" ? "openai" : provider;
}

std::optional<double> PriceNamed(std::span<const NamedPrice> table, std::string_view name) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const NamedPrice& each) { return each.first == name; });
  return row == table.end() ? std::nullopt : std::optional(row->second);
}

std::string NameOf(std::string_view provider, std::string_view name) {
  std::string key(SellerOf(provider));
  key += ':';
  key += name;
  return key;
}

NamedPrices SoldBy(std::span<const NamedPrice> table, std::string_view provider) {
  const std::string seller = NameOf(provider, "");
  NamedPrices sold;
  for (const auto& [name, price] : table) {
    if (name.starts_with(seller)) sold.emplace_back(name.substr(seller.size()), price);
  }
  return sold;
}

}  // namespace

NamedPrices TiersOf(std::string_view provider) { return SoldBy(kFactTables.tiers, provider); }
NamedPrices ToolsOf(std::string_view provider) { return SoldBy(kFactTables.tools, provider); }
std::vector<std::string_view> PricedTools() {
  std::vector<std::string_view> names;
  for (const auto& [key, usd] : kFactTables.tools) {
    const std::string_view name = key.substr(key.find(':') + 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::span<const ModelRow> ModelTable() { return kFactTables.rows; }
std::span<const ModelRow> ModelRowsOf(std::string_view provider) { return FactsOf(provider).rows; }
const TableOrigin& OriginOfModels() { return kFactTables.models; }
const TableOrigin& OriginOfPrices() { return kFactTables.prices; }

std::optional<MediaKinds> FindMediaTaken(std::string_view provider, std::string_view model) {
  if (!OtherKindIn(model).empty()) return std::nullopt;  // made for pictures or sound, by its name
  return Narrowest(FactsOf(provider).takes, model);
}

std::optional<bool> FindSchemaTaken(std::string_view provider, std::string_view model) {
  return Narrowest(FactsOf(provider).schema, model);
}

std::int64_t FindMakersWindow(std::string_view provider, std::string_view model) {
  if (provider == "openai-responses") provider = "openai";
  if (!OtherKindIn(model).empty()) return 0;
  return Narrowest(FactsOf(provider).windows, model).value_or(0);
}

std::optional<Retirement> FindMakersRetirement(std::string_view provider, std::string_view model) {
  if (provider == "openai-responses") provider = "openai";
  if (!OtherKindIn(model).empty()) return std::nullopt;
  return Narrowest(FactsOf(provider).retirements, model);
}

std::string_view AliasOf(std::string_view provider, std::string_view model) {
  if (provider == "openai-responses") provider = "openai";
  for (const FactRow<std::string_view>& row : FactsOf(provider).aliases) {
    if (row.model == model) return row.fact;
  }
  return {};
}

double TierFactor(std::string_view provider, std::string_view tier) {
  return PriceNamed(kFactTables.tiers, NameOf(provider, tier)).value_or(1);
}

double HourWriteFactor(std::string_view provider) {
  return PriceNamed(kFactTables.hour_writes, SellerOf(provider)).value_or(0);
}

std::int64_t ToolNanoUsd(std::string_view provider, std::string_view tool) {
  return std::llround(PriceNamed(kFactTables.tools, NameOf(provider, tool)).value_or(0) * kNanoPerUsd);
}

}  // namespace assay
