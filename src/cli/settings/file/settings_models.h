// Reads the tables [prices] and [models] of assay.toml: prices (US dollars for a million tokens) and facts
// that the user gives of models.
#pragma once

#include <optional>
#include <string>

#include "base/errors/diagnostics.h"
#include "providers/facts/model_facts.h"
#include "text/value.h"

namespace assay {

// One row of [prices]: "provider:model" = {input = 2.5, output = 10}. Nothing, and an error at its place, if
// it cannot be used. `said`: the row in words.
std::optional<OwnFacts> ReadOwnPrice(const Member& row, Diagnostics& diagnostics, std::string& said);
// One row of [models]: [models."provider:model"].
std::optional<OwnFacts> ReadOwnFacts(const Member& row, Diagnostics& diagnostics, std::string& said);

}  // namespace assay
