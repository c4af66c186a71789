// Formats the powers of a folder's assay.toml that need the user's trust.
#pragma once

#include <string>
#include <vector>

#include "engine/grants/powers.h"

namespace assay {

// A line for each: where it stands, and what it does.
std::string PowerLines(const std::vector<Power>& powers);

}  // namespace assay
