// Limits of asking whether a value fits a JSON Schema; see base/limits.h.
#pragma once

#include <chrono>
#include <cstddef>

namespace assay::limits {

inline constexpr std::chrono::milliseconds kSchemaTime{2'000};  // one value against one schema, of the CPU
inline constexpr std::size_t kSchemaFaultsMax = 20;             // reported for one value
inline constexpr std::size_t kSchemaDepthMax =
    2'000;  // parts of the schema within each other, `$ref` followed

}  // namespace assay::limits
