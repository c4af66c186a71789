// The limits of templates.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kExpressionBytesMax = 4u << 10;       // one `{{…}}`
inline constexpr std::size_t kExpressionFiltersMax = 16;           // of one expression
inline constexpr std::size_t kTemplateResultBytesMax = 16u << 20;  // one text that is filled in
inline constexpr std::size_t kMemberNamesMax = 10'000;             // of a table, below its columns
inline constexpr int kMemberDepthMax = 32;

}  // namespace assay::limits
