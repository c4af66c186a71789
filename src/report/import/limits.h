// The limits of reading foreign result files and archives.
#pragma once

#include <cstddef>

namespace assay::limits {

inline constexpr std::size_t kImportedSamplesMax = 2'000'000;  // of an archive, or answers of a folder
inline constexpr std::size_t kImportedFileBytesMax = std::size_t{2} << 30;
// Cases x variants of a file: a table has a place for each pair, whether the file fills it or not.
inline constexpr std::size_t kImportedPairsMax = 20'000'000;
// Of one JSON text.
inline constexpr std::size_t kImportedTreeBytesMax = 256u << 20;
inline constexpr std::size_t kImportedBytesMax = 1u << 30;  // of an archive's samples, unpacked
// A value takes a hundred bytes and more, and an archive of a megabyte can hold a milliard of them.
inline constexpr std::size_t kImportedSampleValuesMax = 2'000'000;     // of one sample
inline constexpr std::size_t kImportedArchiveValuesMax = 200'000'000;  // of all samples of an archive

}  // namespace assay::limits
