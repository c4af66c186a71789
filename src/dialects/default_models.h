// Whom a suite asks that names nobody, of default_models.toml, which the build makes into tables
// (cmake/default_models.py).
#pragma once

#include <span>
#include <string_view>

#include "dialects/dialect.h"
#include "spec/suite/suite_rules.h"

namespace assay {

struct NamedJudge {
  std::string_view id, model_id;
};

struct DefaultModels {
  std::span<const NamedJudge> judges;
  NamedJudge backup_judge;
  std::span<const std::string_view> extractors;  // of key points
  std::string_view summary;
};

// What default_models.toml holds.
struct DefaultModelTables {
  std::string_view as_of;  // "2026-11-27"
  DefaultModels own, weval;
  std::span<const ModelCollection> collections;
};
extern const DefaultModelTables kDefaultModelTables;

// With weval's compatibility the models that the format's own tool asks, which may have ended.
inline const DefaultModels& DefaultModelsOf(Compat compat) {
  return compat == Compat::kWeval ? kDefaultModelTables.weval : kDefaultModelTables.own;
}

}  // namespace assay
