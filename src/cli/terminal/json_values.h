// Values as `--json` writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "text/value.h"

namespace assay {

Value CountValue(std::uint64_t count);
Value TextOrNull(std::string_view text);           // null: ""
Value NumberOrNull(std::optional<double> number);  // null: absent, or no finite number

}  // namespace assay
