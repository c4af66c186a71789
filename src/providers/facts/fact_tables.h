// The data files of facts and prices as tables, which the build makes of them (cmake/model_facts.py):
// models.toml, prices.toml.
#pragma once

#include <span>
#include <string_view>

#include "providers/facts/model_facts.h"
#include "providers/facts/service_prices.h"

namespace assay {

template <class Fact>
struct FactRow {
  std::string_view model;  // as ModelRow's
  Fact fact;
};

struct ProviderFacts {
  std::string_view provider;
  std::span<const ModelRow> rows;
  std::span<const FactRow<MediaKinds>> takes;
  std::span<const FactRow<bool>> schema;
  std::span<const FactRow<std::int64_t>> windows;
  std::span<const FactRow<Retirement>> retirements;
  std::span<const FactRow<std::string_view>> aliases;
};

struct FactTables {
  TableOrigin models, prices;
  std::span<const ModelRow> rows;  // of all providers, as the file has them
  std::span<const ProviderFacts> providers;
  std::span<const NamedPrice> tiers, tools, hour_writes;  // in the order of their names
};
extern const FactTables kFactTables;

}  // namespace assay
