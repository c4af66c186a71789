// The limits that several folders share; a folder's own are in its limits.h. Exceeding one is an Error
// (ErrorCode::kLimit) that names the limit; nothing here is a tuning knob of speed alone. Sizes are bytes,
// times are std::chrono, the rest are counts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace assay::limits {

// Inputs.
inline constexpr std::size_t kInputFileBytesMax = 64u << 20;  // one suite, fixtures or recording file
inline constexpr std::size_t kFolderEntriesMax = 1'000'000;   // names in one folder
inline constexpr std::size_t kJsonDepthMax = 512;             // nesting of arrays and objects
inline constexpr std::size_t kDiagnosticsMax = 200;           // problems kept for one input; more are counted
inline constexpr std::size_t kQuotedTextMax = 120;            // characters of foreign text inside a message
inline constexpr std::size_t kPointsMax = 10'000;             // points or checks of one case
inline constexpr std::size_t kVariantsMax = 100'000;  // models x parameters x system prompts of one suite

// Grading.
inline constexpr std::size_t kReplyBytesMax = 16u << 20;      // one reply of a model
inline constexpr std::chrono::milliseconds kScriptTime{100};  // one $js evaluation (weval: the same)

inline constexpr std::chrono::milliseconds kPatternTime{2'000};  // one search of a Python regular expression

// Programs.
inline constexpr std::uint64_t kProgramMemoryBytesMax = 4ull << 30;  // one program with all its children
inline constexpr std::size_t kProgramOutputBytesMax = 1u << 20;      // of each of its two outputs
inline constexpr std::uint32_t kProgramProcessesMax = 256;           // processes and threads at once
inline constexpr std::chrono::milliseconds kProgramWallMax{600'000};

// Running.
inline constexpr std::size_t kGroupsMax = 8;               // of a case, one per dimension
inline constexpr std::size_t kTriesMax = 20;               // numbers k of pass@k
inline constexpr std::size_t kAttemptsMax = 10'000;        // repeats of one case
inline constexpr std::uint64_t kCellsMax = 1'000'000'000;  // cases x variants x attempts of one run
inline constexpr std::size_t kStepRoundsMax = 200;         // rounds of requests of one step
inline constexpr std::size_t kQueueDepthMax = 65'536;      // messages waiting in one queue
inline constexpr std::size_t kMaxInFlightMax = 100'000;    // requests on the wire at once
inline constexpr std::chrono::milliseconds kServiceWaitMax{600'000};  // a pause that a service asks for
inline constexpr int kRetriesMax = 100;                               // tries of one request after the first

// The network.
inline constexpr std::size_t kSseLineBytesMax = 16u << 20;  // one line of a stream of server-sent events

// Results.
inline constexpr std::uint64_t kArtefactPairsMax =
    5'000;  // prompt x model pairs that get small files of their own

inline constexpr std::size_t kStoredDocumentBytesMax = 32u << 20;  // text of a document; the rest is not kept
inline constexpr std::size_t kDocumentPartBytesMax = 1u << 20;     // that a page is sent at once
inline constexpr std::size_t kSpoolBytesMax = 1u << 20;            // of one section of a file, in memory

}  // namespace assay::limits
