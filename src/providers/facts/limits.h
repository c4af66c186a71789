// The limit on the size of what a provider sends at once (a batch's results).
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kBatchReplyBytesMax = 512u << 20;  // the answers of one batch

}  // namespace assay::limits
