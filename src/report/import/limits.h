// How much of a foreign result file is read.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kImportedSamplesMax = 200'000;
inline constexpr std::size_t kImportedBytesMax = 1u << 30;  // of an archive's samples, unpacked

}  // namespace assay::limits
