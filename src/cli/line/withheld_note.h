// Notes which settings of a folder's assay.toml have no effect, since nobody has trusted them.
#pragma once

#include <string>

#include "cli/line/command_row.h"

namespace assay {

// Names the settings that have no effect on what the command shows; "" if all have. Untrusted aliases are
// named where a suite uses them.
std::string WithheldNote(const Options& options, const CommandRow& command);

}  // namespace assay
