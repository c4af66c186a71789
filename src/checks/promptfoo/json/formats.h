// The formats of JSON Schema, as ajv-formats checks them in its full mode.
#pragma once

#include <string_view>

#include "text/value.h"

namespace assay::promptfoo {

bool IsKnownFormat(std::string_view format);
// True for values of another kind than the format's.
bool FitsFormat(std::string_view format, const Value& value);

}  // namespace assay::promptfoo
