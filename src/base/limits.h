// Every limit of assay, by name, in one place. Exceeding one is an ordinary Error (ErrorCode::kLimit) that
// names the limit; nothing here is a tuning knob of speed alone. Sizes are bytes, times are std::chrono, the
// rest are counts.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace assay::limits {

// Inputs.
inline constexpr std::size_t kInputFileBytesMax = 64u << 20;  // one suite, fixtures or recording file
inline constexpr std::size_t kFolderEntriesMax = 1'000'000;   // names in one folder
inline constexpr std::size_t kYamlDepthMax = 100;          // nesting of collections (js-yaml's own default)
inline constexpr std::size_t kYamlNodesMax = 4'000'000;    // nodes of a file, aliases expanded
inline constexpr std::size_t kYamlDocumentsMax = 100'000;  // documents in one stream
inline constexpr std::size_t kYamlRereadMax = 16u << 20;   // bytes read again because of tabs
inline constexpr std::size_t kJsonDepthMax = 512;          // nesting of arrays and objects
inline constexpr std::size_t kJsonNodesMax = 8'000'000;    // values of a text
inline constexpr std::size_t kDiagnosticsMax = 200;        // problems kept for one input; more are counted
inline constexpr std::size_t kQuotedTextMax = 120;         // characters of foreign text inside a message
inline constexpr std::size_t kReferenceBytesMax = 64u
                                                  << 20;  // what references to definitions in one suite copy
inline constexpr std::size_t kPointsMax = 10'000;         // points or checks of one case
inline constexpr std::size_t kVariantsMax = 100'000;      // models x parameters x system prompts of one suite

// Grading.
inline constexpr std::size_t kReplyBytesMax = 16u << 20;         // one reply of a model
inline constexpr std::size_t kReplyCallsMax = 1'024;             // calls of tools in one reply
inline constexpr std::size_t kCallArgumentsBytesMax = 1u << 20;  // of one call of a tool
inline constexpr std::size_t kCallIdBytesMax = 256;              // a longer id of a call is replaced
inline constexpr std::size_t kKeyPointsMax = 200;               // that a model extracts from one ideal answer
inline constexpr std::size_t kRegexBytesMax = 64u << 10;        // one pattern
inline constexpr std::chrono::milliseconds kRegexTime{100};     // one search
inline constexpr std::size_t kRegexMemoryBytesMax = 64u << 20;  // one search, or one compiled pattern
inline constexpr std::chrono::milliseconds kScriptTime{100};    // one $js evaluation (weval: the same)
inline constexpr std::chrono::milliseconds kScriptAnswerTime{2'000};  // all $js evaluations of one answer
inline constexpr std::size_t kScriptMemoryBytesMax = 64u << 20;       // one $js evaluation
inline constexpr std::size_t kScriptStackBytesMax = 512u << 10;       // one $js evaluation
inline constexpr std::size_t kScriptResultNodesMax = 100'000;         // values inside a script's result
inline constexpr std::size_t kScriptResultDepthMax = 200;             // nesting of a script's result
inline constexpr std::size_t kCollateUnitsMax = 1u << 20;             // UTF-16 units a script may compare

inline constexpr std::chrono::milliseconds kPatternTime{2'000};  // one search of a Python regular expression
inline constexpr std::uint64_t kAlignCellsMax =
    400'000'000;                                        // template x answer characters of a blank filling
inline constexpr std::size_t kExpressionDepthMax = 64;  // nesting of a condition
inline constexpr std::size_t kServiceBodyBytesMax = 8u << 20;  // what is sent to a service that checks call

// Programs.
inline constexpr std::uint64_t kProgramMemoryBytesMax = 4ull << 30;  // one program with all its children
inline constexpr std::uint64_t kProgramFileBytesMax = 64u << 20;     // one file that a program writes
inline constexpr std::uint64_t kProgramFolderBytesMax = 256u << 20;  // all that it writes
inline constexpr std::size_t kProgramOutputBytesMax = 1u << 20;      // of each of its two outputs
inline constexpr std::uint32_t kProgramProcessesMax = 256;           // processes and threads at once
inline constexpr std::chrono::milliseconds kProgramWallMax{600'000};
inline constexpr std::chrono::milliseconds kCleanupWall{10'000};  // what runs after a program

// Running.
inline constexpr std::size_t kAttemptsMax = 10'000;        // repeats of one case
inline constexpr std::uint64_t kCellsMax = 1'000'000'000;  // cases x variants x attempts of one run
inline constexpr std::size_t kStepRoundsMax = 200;         // rounds of requests of one step
inline constexpr std::size_t kQueueDepthMax = 65'536;      // messages waiting in one queue
inline constexpr std::size_t kMaxInFlightMax = 100'000;    // requests on the wire at once
inline constexpr std::chrono::milliseconds kServiceWaitMax{600'000};  // a pause that a service asks for
inline constexpr int kRetriesMax = 100;                               // tries of one request after the first

// The network.
inline constexpr std::size_t kHeaderBytesMax = 256u << 10;  // headers of one HTTP reply
inline constexpr std::size_t kSseLineBytesMax = 16u << 20;  // one line of a stream of server-sent events

// Results.
inline constexpr std::size_t kSimilarityModelsMax = 500;  // variants whose answers are compared two by two
inline constexpr std::uint64_t kArtefactPairsMax =
    5'000;  // prompt x model pairs that get small files of their own

inline constexpr std::size_t kPairMemoBytesMax = 32u << 20;     // folded pairs remembered between two walks
inline constexpr std::size_t kShownOutputBytesMax = 16u << 10;  // of each output of a program, on a page
inline constexpr std::size_t kStoredDocumentBytesMax = 32u << 20;  // text of a document; the rest is not kept
inline constexpr std::size_t kStoredDocumentsBytesMax = 256u << 20;  // of all documents of a run
inline constexpr std::size_t kDocumentPartBytesMax = 1u << 20;       // that a page is sent at once
inline constexpr std::size_t kSpoolBytesMax = 1u << 20;              // of one section of a file, in memory

}  // namespace assay::limits
