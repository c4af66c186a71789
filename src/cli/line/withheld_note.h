// Notes which settings of a folder's assay.toml have no effect, since nobody has trusted them.
#pragma once

#include <string>

#include "cli/line/command_row.h"

namespace assay {

// What of the folder's settings has no effect on what the command shows; "" if nothing is to be said. Names
// of models are told where they stand.
std::string WithheldNote(const Options& options, const CommandRow& command);

}  // namespace assay
