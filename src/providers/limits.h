// The limits of providers/, as base/limits.h has those that several folders share.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kReplyCallsMax = 1'024;             // calls of tools in one reply
inline constexpr std::size_t kCallArgumentsBytesMax = 1u << 20;  // of one call of a tool
inline constexpr std::size_t kCallIdBytesMax = 256;              // a longer id of a call is replaced
inline constexpr std::size_t kBatchReplyBytesMax = 512u << 20;   // the answers of one batch

}  // namespace assay::limits
