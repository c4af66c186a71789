// Values as `--json` writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/value.h"

namespace assay {

Value CountValue(std::uint64_t count);
Value TextOrNull(std::string_view text);           // null: ""
Value NumberOrNull(std::optional<double> number);  // null: absent, or no finite number

// A JSON text whose strings show on a terminal: controls (C1 too), what has no width and what reorders text
// are \u escapes. It says the same to whoever reads it as JSON.
std::string ShownJson(std::string_view json);

}  // namespace assay
