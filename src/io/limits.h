// The limits of io/, as base/limits.h has those that several folders share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::limits {

inline constexpr std::uint64_t kProgramFileBytesMax = 64u << 20;     // one file that a program writes
inline constexpr std::uint64_t kProgramFolderBytesMax = 256u << 20;  // all that it writes
inline constexpr std::size_t kHeaderBytesMax = 256u << 10;           // headers of one HTTP reply

}  // namespace assay::limits
