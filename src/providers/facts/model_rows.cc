// Reads the data files of facts and prices, once and when somebody first asks: models.toml, prices.toml. They
// are a part of the program: one that cannot be read is a fault of its own, which the tests find.
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "base/errors/assert.h"
#include "providers/facts/data_files.h"
#include "providers/facts/fact_names.h"
#include "providers/facts/model_facts.h"
#include "providers/facts/model_kinds.h"
#include "providers/facts/service_prices.h"
#include "spec/run/run_cost.h"
#include "text/toml.h"

namespace assay {

namespace {

template <class Fact>
struct FactRow {
  std::string_view model;
  Fact fact;
};
template <class Fact>
using FactRows = std::map<std::string_view, std::vector<FactRow<Fact>>>;  // a provider's

struct FactTables {
  std::deque<std::string> texts;  // what the views of the rows look at
  TableOrigin models, prices;
  std::vector<ModelRow> rows;
  std::map<std::string_view, std::vector<const ModelRow*>> rows_of;  // a provider
  FactRows<MediaKinds> takes;
  FactRows<bool> schema;
  std::map<std::string, double, std::less<>> tiers, tools, hour_writes;
};

constexpr std::pair<std::string_view, Sampling> kSamplings[] = {
    {"none", {.temperature = false, .top_p = false, .top_k = false}},
    {"not-both", {.not_both = true}},
    {"only-still", {.only_still = true}},
};
constexpr std::pair<std::string_view, Thinking> kThinkings[] = {
    {"no", Thinking::kNo},
    {"on-request", Thinking::kOnRequest},
    {"by-default", Thinking::kByDefault},
    {"always", Thinking::kAlways},
};

// The value that a word of a table stands for.
template <class Table>
auto Named(const Table& table, const Value& word) {
  const auto row = std::find_if(std::begin(table), std::end(table),
                                [&](const auto& each) { return each.first == word.AsString(); });
  ASSAY_ASSERT(row != std::end(table));
  return row->second;
}

class TableReader {
 public:
  TableReader() : models_(Read(kModelsToml)), prices_(Read(kPricesToml)) {}

  FactTables Tables() && {
    out_.models = OriginOf(models_);
    out_.prices = OriginOf(prices_);
    for (const Member& row : Table(models_, "models")) {
      const auto [provider, model] = NameOf(row.key);
      out_.rows.push_back({provider, model, FactsOf(row.value)});
      const Value* price = Table(prices_, "prices").Find(row.key);
      if (price != nullptr) out_.rows.back().facts.price = PriceOf(price->AsMap());
    }
    for (const Member& row : Table(models_, "takes")) {
      MediaKinds kinds;
      for (const Value& kind : row.value.AsList()) kinds.*Named(kMediaKinds, kind) = true;
      const auto [provider, model] = NameOf(row.key);
      out_.takes[provider].push_back({model, kinds});
    }
    for (const Member& row : Table(models_, "schema")) {
      const auto [provider, model] = NameOf(row.key);
      out_.schema[provider].push_back({model, row.value.AsBool()});
    }
    for (const Member& row : Table(prices_, "tiers")) out_.tiers.emplace(row.key, row.value.AsNumber());
    for (const Member& row : Table(prices_, "tools")) out_.tools.emplace(row.key, row.value.AsNumber());
    for (const Member& row : Table(prices_, "hour_writes"))
      out_.hour_writes.emplace(row.key, row.value.AsNumber());
    return std::move(out_);
  }

 private:
  static Value Read(std::string_view text) {
    Diagnostics diagnostics;
    Value value = ReadToml(FileId::kNone, text, diagnostics);
    ASSAY_ASSERT(value.is_map());
    return value;
  }
  static const Map& Table(const Value& file, std::string_view name) { return file.Find(name)->AsMap(); }

  std::string_view Kept(std::string text) { return out_.texts.emplace_back(std::move(text)); }
  TableOrigin OriginOf(const Value& file) {
    return {.as_of = Kept(file.Find("as_of")->AsString()), .source = Kept(file.Find("source")->AsString())};
  }
  std::pair<std::string_view, std::string_view> NameOf(const std::string& name) {
    const std::string_view kept = Kept(name);
    const std::size_t colon = kept.find(':');
    ASSAY_ASSERT(colon != std::string_view::npos);
    return {kept.substr(0, colon), kept.substr(colon + 1)};
  }

  // What a row says, on top of what its family has.
  ModelFacts FactsOf(const Value& row) {
    ModelFacts facts;
    if (const Value* family = row.Find("like"))
      facts = FactsOf(*Table(models_, "families").Find(family->AsString()));
    for (const Member& member : row.AsMap()) {
      const Value& value = member.value;
      const auto count = [&] { return static_cast<std::int64_t>(value.AsNumber()); };
      if (member.key == "sampling") {
        facts.sampling = Named(kSamplings, value);
      } else if (member.key == "thinking") {
        facts.thinking = Named(kThinkings, value);
      } else if (member.key == "thinking_room") {
        facts.thinking_room = count();
      } else if (member.key == "effort_as") {
        facts.effort = Named(kEffortForms, value);
      } else if (member.key == "efforts") {
        facts.efforts = Kept(value.AsString());
      } else if (member.key == "max_output") {
        facts.output_max = count();
      } else if (member.key == "responses_only") {
        facts.responses_only = value.AsBool();
      } else if (member.key == "cache_min_tokens") {
        facts.cache_min_tokens = count();
      } else {
        ASSAY_ASSERT(member.key == "like");
      }
    }
    return facts;
  }

  static Price PriceOf(const Map& row) {
    Price price;
    for (const Member& part : row) {
      const double number = part.value.AsNumber();
      if (part.key == kPriceLongAbove) {
        price.long_above_tokens = static_cast<std::int64_t>(number);
        continue;
      }
      const auto* key = std::find_if(kPriceKeys.begin(), kPriceKeys.end(),
                                     [&](const PriceKey& each) { return each.name == part.key; });
      ASSAY_ASSERT(key != kPriceKeys.end());
      if (key->required != nullptr) price.*key->required = number;
      if (key->optional != nullptr) price.*key->optional = number;
    }
    return price;
  }

  Value models_, prices_;
  FactTables out_;
};

FactTables ReadTables() {
  FactTables tables = TableReader().Tables();
  for (const ModelRow& row : tables.rows) tables.rows_of[row.provider].push_back(&row);
  return tables;
}

const FactTables& Facts() {
  static const FactTables tables = ReadTables();
  return tables;
}

// The narrowest of the rows that fit.
template <class Fact>
std::optional<Fact> Narrowest(const FactRows<Fact>& rows, std::string_view provider, std::string_view model) {
  const auto of_provider = rows.find(provider);
  if (of_provider == rows.end()) return std::nullopt;
  const FactRow<Fact>* best = nullptr;
  for (const FactRow<Fact>& row : of_provider->second) {
    if (!FitsName(row.model, model)) continue;
    if (best == nullptr || IsNarrower(row.model, best->model)) best = &row;
  }
  return best == nullptr ? std::nullopt : std::optional(best->fact);
}

// The provider under whose name tiers and tools stand.
std::string_view SellerOf(std::string_view provider) {
  return provider == "openai-responses" || provider == "azure-openai" ? "openai" : provider;
}

std::optional<double> Find(const std::map<std::string, double, std::less<>>& table, std::string_view provider,
                           std::string_view name) {
  std::string key(SellerOf(provider));
  key += ':';
  key += name;
  const auto row = table.find(key);
  return row == table.end() ? std::nullopt : std::optional(row->second);
}

NamedPrices SoldBy(const std::map<std::string, double, std::less<>>& table, std::string_view provider) {
  const std::string seller = std::string(SellerOf(provider)) + ":";
  NamedPrices sold;
  for (auto row = table.lower_bound(seller); row != table.end() && row->first.starts_with(seller); ++row)
    sold.emplace_back(std::string_view(row->first).substr(seller.size()), row->second);
  return sold;
}

}  // namespace

NamedPrices TiersOf(std::string_view provider) { return SoldBy(Facts().tiers, provider); }
NamedPrices ToolsOf(std::string_view provider) { return SoldBy(Facts().tools, provider); }
std::vector<std::string_view> PricedTools() {
  std::vector<std::string_view> names;
  for (const auto& [key, usd] : Facts().tools) {
    const std::string_view name = std::string_view(key).substr(key.find(':') + 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::span<const ModelRow> ModelTable() { return Facts().rows; }
std::span<const ModelRow* const> ModelRowsOf(std::string_view provider) {
  const auto rows = Facts().rows_of.find(provider);
  return rows == Facts().rows_of.end() ? std::span<const ModelRow* const>() : rows->second;
}
const TableOrigin& OriginOfModels() { return Facts().models; }
const TableOrigin& OriginOfPrices() { return Facts().prices; }

std::optional<MediaKinds> FindMediaTaken(std::string_view provider, std::string_view model) {
  if (!OtherKindIn(model).empty()) return std::nullopt;  // made for pictures or sound, by its name
  return Narrowest(Facts().takes, provider, model);
}

std::optional<bool> FindSchemaTaken(std::string_view provider, std::string_view model) {
  return Narrowest(Facts().schema, provider, model);
}

double TierFactor(std::string_view provider, std::string_view tier) {
  return Find(Facts().tiers, provider, tier).value_or(1);
}

double HourWriteFactor(std::string_view provider) {
  const auto row = Facts().hour_writes.find(SellerOf(provider));
  return row == Facts().hour_writes.end() ? 0 : row->second;
}

std::int64_t ToolNanoUsd(std::string_view provider, std::string_view tool) {
  return std::llround(Find(Facts().tools, provider, tool).value_or(0) * kNanoPerUsd);
}

}  // namespace assay
