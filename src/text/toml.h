// Reads TOML 1.0 into the Value tree that the other readers use.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {

// A map; undefined after an error, which is told at its place ("toml.syntax"). Integers are kInt, dates are
// dates (without an offset: in UTC), times of day too, of 1970. Members keep the file's order and know
// their places.
Value ReadToml(FileId file, std::string_view text, Diagnostics& diagnostics);

}  // namespace assay
