// The limits of suites and requests: counts and tokens.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::limits {

inline constexpr std::int64_t kAnswerTokensMax = 10'000'000;  // that a user may allow one answer

inline constexpr std::uint64_t kBootstrapSeedMax = 1'000'000'000'000'000'000;
inline constexpr std::uint32_t kJudgeVotesMax = 25;  // that each judge is asked for on one point

inline constexpr std::size_t kSuiteChecksMax = 2'000'000;  // of all cases together
inline constexpr std::size_t kSuiteSlotsMax =
    4'000'000;  // steps of one cell of each case, all cases together

inline constexpr std::size_t kPairMemoBytesMax = 32u << 20;  // folded pairs remembered between two walks

}  // namespace assay::limits
