// Limits of the research agent's pure code (agent/turn, agent/web, agent/words): counts, bytes and code
// points; the limits of asky 0.4.15 are marked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::limits {

inline constexpr std::size_t kTextCallsMax = 1'000;         // calls written in one reply
inline constexpr std::size_t kTextCallParametersMax = 200;  // of one such call
inline constexpr std::size_t kPromptTargetsMax = 20;  // local documents that a prompt names (asky: the same)
inline constexpr std::size_t kPromptUrlsMax = 200;    // addresses that a prompt names
inline constexpr std::size_t kAddressBytesMax = 8u << 10;  // one address
inline constexpr std::size_t kExpandedQueriesMax = 4;      // the query itself among them (asky: the same)
inline constexpr std::size_t kShortlistCandidatesMax =
    40;                                                  // addresses that a shortlist weighs (asky: the same)
inline constexpr std::size_t kShortlistFetchedMax = 20;  // of them, pages that are fetched (asky: the same)
inline constexpr std::size_t kShortlistMax = 8;          // pages that it keeps (asky: the same)
inline constexpr std::size_t kMockPagesMax = 100'000;    // pages and searches of one mock_web file
inline constexpr std::size_t kFindingsMax = 500;         // and memories, of one case
inline constexpr std::size_t kCallsPerReplyMax = 32;     // tools that one reply of a model may call
inline constexpr std::uint32_t kTurnsMax = 200;          // requests with tools of one turn
inline constexpr std::size_t kPageUrlsMax = 10;          // pages that one call of a tool reads

inline constexpr std::size_t kPageCharactersMin = 300;  // of one that is gathered before (asky: the same)
inline constexpr std::size_t kPageBytesMax = 2u << 20;  // one page of the web

}  // namespace assay::limits
