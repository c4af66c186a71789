// Limits on what requests may ask for.
#pragma once

#include <cstdint>

namespace assay::limits {

inline constexpr std::int64_t kAnswerTokensMax = 10'000'000;  // that a user may allow one answer

}  // namespace assay::limits
