// Sets --export (option_table.cc).
#pragma once

#include <string_view>

#include "cli/settings/options.h"

namespace assay {

Status AddExport(std::string_view text, Options& options);

}  // namespace assay
