// The command-line options of research evaluations: their own, with the limits of a turn that some of them
// set, and those that select rows of tables.
#pragma once

#include "dialects/blueprint/options.h"
#include "dialects/dialect_option.h"
#include "spec/suite/agent_settings.h"

namespace assay::research {

inline constexpr std::string_view kRunOption = "run";
inline constexpr std::string_view kDatasetOption = "dataset";
inline constexpr std::string_view kSnapshotsOption = "snapshot-root";
inline constexpr std::string_view kSessionsOption = "output-root";
inline constexpr std::string_view kMockWebOption = "mock-web";
inline constexpr std::string_view kEmbedderOption = "embedder";
inline constexpr std::string_view kTurnTimeOption = "turn-time";
inline constexpr std::string_view kTurnTokensOption = "turn-tokens";
inline constexpr std::string_view kTurnUsdOption = "turn-usd";

Result<std::string> ReadTurnTime(std::string_view text);
Result<std::string> ReadTurnTokens(std::string_view text);
Result<std::string> ReadTurnUsd(std::string_view text);
// Of each turn of the research agent.
TurnLimits TurnLimitsOf(const OwnOptions& own);

inline constexpr DialectOption kOptions[] = {
    {.name = kRunOption,
     .value = "ID",
     .help = "only these runs of a research matrix, separated by commas; repeatable",
     .commands = " run plan check ",
     .behind = "--matrix",
     .repeatable = true,
     .narrows = true},
    {.name = kDatasetOption,
     .value = "FILE",
     .help = "the research dataset: its documents, or what the report is titled by",
     .commands = " prepare report ",
     .shapes_run = false},
    {.name = kDatasetOption,
     .value = "FILE",
     .help = "this research dataset instead of the matrix's own",
     .commands = " run plan check ",
     .reads = OptionReads::kFolderOfFile},
    {.name = kSnapshotsOption,
     .value = "DIR",
     .help = "the folder of the pinned documents (temp/research_eval/snapshots)",
     .commands = " prepare ",
     .shapes_run = false},
    {.name = kSnapshotsOption,
     .value = "DIR",
     .help = "the folder of the pinned documents, instead of the matrix's own",
     .commands = " run plan check ",
     .reads = OptionReads::kFolder},
    {.name = kSessionsOption,
     .value = "DIR",
     .help = "the folder for the sessions of a research matrix, instead of its own",
     .commands = " run ",
     .shapes_run = false},
    {.name = kMockWebOption,
     .value = "FILE",
     .help = "the simulated web for a matrix's runs of mock_web",
     .commands = " run plan check "},
    {.name = kEmbedderOption,
     .value = "NAME",
     .help = "the embedder that finds passages of research documents: hash, none or PROVIDER:MODEL (hash)",
     .commands = " run plan check "},
    {.name = kTurnTimeOption,
     .value = "SECONDS",
     .help = "stop a research turn after this time in requests; it keeps its answer",
     .commands = " run plan ",
     .behind = "--max-time",
     .read = ReadTurnTime},
    {.name = kTurnTokensOption,
     .value = "N",
     .help = "stop a research turn after this number of tokens",
     .commands = " run plan ",
     .read = ReadTurnTokens},
    {.name = kTurnUsdOption,
     .value = "X",
     .help = "stop a research turn after this cost",
     .commands = " run plan ",
     .read = ReadTurnUsd},
    kWhereRow,
    kSampleRow,
    kSampleSeedRow,
};

}  // namespace assay::research
