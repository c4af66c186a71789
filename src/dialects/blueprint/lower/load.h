// The second stage of reading a blueprint: normal form -> loaded config (spec: blueprint 8). Id and title,
// defaults, models, tags, system prompts; the checks that weval makes before it runs anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "text/value.h"

namespace assay::blueprint {

// The config with models resolved (texts and custom model objects), or nothing after an error. All problems
// at once.
std::optional<Value> LoadBlueprint(Value normal_form, const ReadInput& input);

// The collection that a config means that names no models; "" if it names some.
std::string_view AssumedModels(const Map& config);
// A tag of the header: "AI & Law" -> "ai--law"; those with a leading "_" are only trimmed. Those of prompts,
// which weval has not, keep their text.
std::string NormaliseTag(std::string_view tag);
// --eval-method: "embedding" and "llm-coverage" in the order asked; unknown names are warned about.
std::vector<std::string> ParseEvalMethods(std::string_view option, Diagnostics& diagnostics);

}  // namespace assay::blueprint
