// How much of a foreign result file is read.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kImportedSamplesMax = 2'000'000;  // of an archive, or answers of a folder
inline constexpr std::size_t kImportedFileBytesMax = std::size_t{2} << 30;
// Of one that is read as a whole tree, which takes several times its size.
inline constexpr std::size_t kImportedTreeBytesMax = 256u << 20;
inline constexpr std::size_t kImportedBytesMax = 1u << 30;  // of an archive's samples, unpacked

}  // namespace assay::limits
