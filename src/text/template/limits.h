// The limits of templates.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kExpressionBytesMax = 4u << 10;       // one `{{…}}`
inline constexpr std::size_t kExpressionFiltersMax = 16;           // of one expression
inline constexpr std::size_t kTemplateResultBytesMax = 16u << 20;  // one text that is filled in

}  // namespace assay::limits
