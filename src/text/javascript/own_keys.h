// The order of an object's own keys in JavaScript: array indices first, ascending, then the others as they
// were added.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

// The number of an array-index-like key: canonical decimal below 2^32 - 1.
std::optional<std::uint32_t> ArrayIndex(std::string_view key);

}  // namespace assay
