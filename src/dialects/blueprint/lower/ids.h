// The ids of blueprints: content ids of prompts, blueprint ids from file paths, ids of variants, and run
// labels, all as weval makes them (spec: blueprint 7 and 9.3).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay::blueprint {

// The text that a prompt's id is the hash of: canonical JSON of the normal form without its id.
std::string CanonicalPrompt(const Value& prompt);
// "hash-" and 12 hex digits of SHA-256 over the canonical text.
std::string PromptContentId(const Value& prompt);

// weval's rule: one ending after the other removed from the path as given, then "/" becomes "__".
std::string BlueprintIdFromPath(std::string_view path);
// The reserved prefix ("_pr_", "_staging_", "_test_") that an id has, or "".
std::string_view ReservedIdPrefix(std::string_view id);

// What names one variant of a model in results.
struct VariantSuffix {
  std::optional<double> temperature;        // absent: no suffix for it
  std::optional<std::size_t> system_index;  // absent: no suffix for it
  std::optional<std::string> shots_seed;    // of its examples, where there are several; absent: no suffix
};
std::string EffectiveModelId(std::string_view model_id, const VariantSuffix& suffix);

// 16 hex digits over what weval takes for the content of a loaded config. Prompt wording is not part of it.
std::string ConfigContentHash(const Map& config);
// The user's label, trimmed, and the hash; the hash alone if there is no label.
std::string RunLabelOf(std::string_view user_label, std::string_view config_hash);

}  // namespace assay::blueprint
