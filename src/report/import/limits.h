// The limits of reading foreign result files and archives.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::limits {

inline constexpr std::size_t kImportedSamplesMax = 2'000'000;  // of an archive, or answers of a folder
inline constexpr std::size_t kImportedFileBytesMax = std::size_t{2} << 30;
// Cases x variants of a file: a table has a place for each pair, whether the file fills it or not.
inline constexpr std::size_t kImportedPairsMax = 20'000'000;
// Of one JSON text.
inline constexpr std::size_t kImportedTreeBytesMax = 256u << 20;
inline constexpr std::size_t kImportedBytesMax = 1u << 30;    // of an archive's samples, unpacked
inline constexpr std::size_t kImportedHeadBytes = 64u << 10;  // of a file, to see what it is
// What reading a file may take: so many times its length and some, and never more than the most, of which a
// part is what the program takes by itself.
inline constexpr std::uint64_t kImportedMemoryShare = 64;
inline constexpr std::uint64_t kImportedMemoryFree = 64'000'000;
inline constexpr std::uint64_t kImportedMemoryMax = 300'000'000;
inline constexpr std::uint64_t kImportedMemoryOwn = 32'000'000;
// Of each case and variant, and of each pair of them, for what is reckoned of them: means, ranks, tables.
inline constexpr std::uint64_t kImportedRowBytes = 600;
inline constexpr std::uint64_t kImportedPairBytes = 32;

}  // namespace assay::limits
