// Small JSON values that all forms of a report share: counts, numbers, texts and intervals. What is absent or
// cannot be written in JSON becomes null.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "statistics/estimates/mean.h"
#include "text/value.h"

namespace assay {

Value CountValue(std::uint64_t count);
Value TextOrNull(std::string_view text);           // null: ""
Value NumberOrNull(std::optional<double> number);  // null: absent, or no finite number
Value IntervalValue(const std::optional<Interval>& interval);  // [low, high]

}  // namespace assay
