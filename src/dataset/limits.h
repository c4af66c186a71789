// The limits of datasets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"

namespace assay::limits {

inline constexpr std::uint64_t kDatasetFileBytesMax = (4ull << 30) - 2;  // one file, unpacked
inline constexpr std::size_t kDatasetRowsMax = 20'000'000;               // of one dataset
inline constexpr std::size_t kDatasetRowBytesMax = 16u << 20;            // one row of a file
inline constexpr std::size_t kDatasetCasesMax = 1'000'000;  // that the datasets of a suite become
inline constexpr std::size_t kDatasetColumnsMax = 10'000;
inline constexpr std::size_t kDatasetCellBytesMax = 16u << 20;
inline constexpr std::size_t kDatasetFilesMax = 10'000;   // that patterns name
inline constexpr std::size_t kShotsMax = 1'000;           // examples of one question
inline constexpr std::size_t kShotRanksMax = 50'000'000;  // that `pick: each` computes for a suite
inline constexpr std::size_t kDatasetProblemsMax = 10;    // that are shown of one code

}  // namespace assay::limits
