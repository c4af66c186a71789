// Formats the powers of a folder's assay.toml that need the user's trust, and notes which settings have no
// effect without it.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/settings/powers.h"

namespace assay {

// A line for each: where it stands, and what it does.
std::string PowerLines(const std::vector<Power>& powers);
// What of the folder's settings has no effect on what the command shows; "" if nothing is to be said. Names
// of models are told where they stand.
std::string WithheldNote(const Options& options, const CommandRow& command);

}  // namespace assay
