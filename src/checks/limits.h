// The limits of checks/, as base/limits.h has those that several folders share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace assay::limits {

inline constexpr std::size_t kKeyPointsMax = 200;  // that a model extracts from one ideal answer
inline constexpr std::chrono::milliseconds kScriptAnswerTime{2'000};  // all $js evaluations of one answer
inline constexpr std::uint64_t kAlignCellsMax =
    400'000'000;                                        // template x answer characters of a blank filling
inline constexpr std::size_t kExpressionDepthMax = 64;  // nesting of a condition
inline constexpr std::size_t kAnyOrderStepsMax = 1'000'000;    // comparisons of JSON lists in any order
inline constexpr std::size_t kServiceBodyBytesMax = 8u << 20;  // what is sent to a service that checks call
inline constexpr std::chrono::milliseconds kCleanupWall{10'000};  // what runs after a program

}  // namespace assay::limits
