// The limits of report/, as base/limits.h has those that several folders share.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kShownOutputBytesMax = 16u << 10;  // of each output of a program, on a page

}  // namespace assay::limits
