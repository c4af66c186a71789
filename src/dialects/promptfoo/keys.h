// The keys of promptfoo's configs that assay reads, one row for each. Warnings follow them.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"
#include "dialects/keys/key.h"

namespace assay::promptfoo {

extern const KeyPlace kConfigPlace;
extern const KeyPlace kPromptPlace;
extern const KeyPlace kProviderPlace;
extern const KeyPlace kTestPlace;
extern const KeyPlace kScenarioPlace;
extern const KeyPlace kAssertionPlace;
extern const KeyPlace kEvaluateOptionsPlace;
extern const KeyPlace kCommandLinePlace;

// Warns of each key that the place does not have.
void WarnOfUnknownKeys(const Map& owner, const KeyPlace& place, Diagnostics& diagnostics);

}  // namespace assay::promptfoo
