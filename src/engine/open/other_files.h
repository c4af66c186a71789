// Tells what a file is that somebody names as a suite and that is none: results, or a file of another tool.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"

namespace assay {

// One error at the start of the file; false if nothing is known against its being a suite.
bool TellOtherFile(std::string_view path, FileId file, std::string_view text, Diagnostics& diagnostics);

}  // namespace assay
