// The command-line options that only blueprints have: --eval-method, --collections-repo-path, and those that
// select rows of datasets.
#pragma once

#include "dialects/dialect_option.h"

namespace assay {

inline constexpr std::string_view kEvalMethodOption = "eval-method";
inline constexpr std::string_view kCollectionsOption = "collections-repo-path";

inline constexpr std::string_view kWhereOption = "where";
inline constexpr std::string_view kSampleOption = "sample";
inline constexpr std::string_view kSampleSeedOption = "sample-seed";

Result<std::string> ReadWhereOption(std::string_view text);   // COLUMN=VALUE
Result<std::string> ReadSampleOption(std::string_view text);  // a whole number from 1
Result<std::string> ReadSeedOption(std::string_view text);    // a whole number

// The rows that dialects share whose cases are rows of tables.
inline constexpr DialectOption kWhereRow{
    .name = kWhereOption,
    .value = "COLUMN=VALUE",
    .help = "only rows of datasets that have this value; repeat it for more columns",
    .commands = " run plan check ",
    .behind = "--limit",
    .repeatable = true,
    .narrows = true,
    .read = ReadWhereOption};
inline constexpr DialectOption kSampleRow{
    .name = kSampleOption,
    .value = "N",
    .help = "N rows of each dataset, chosen by their ids: a larger sample contains a smaller one",
    .commands = " run plan check ",
    .narrows = true,
    .read = ReadSampleOption};
inline constexpr DialectOption kSampleSeedRow{.name = kSampleSeedOption,
                                              .value = "N",
                                              .help = "another sample of the same size",
                                              .commands = " run plan check ",
                                              .narrows = true,
                                              .read = ReadSeedOption};

inline constexpr DialectOption kBlueprintOptions[] = {
    {.name = kEvalMethodOption,
     .value = "LIST",
     .help = "embedding, llm-coverage, all or none",
     .commands = " run plan check run-config ",
     .behind = "--run-label"},
    {.name = kCollectionsOption,
     .value = "DIR",
     .help = "the folder whose models/ contains model collections",
     .commands = " run plan check run-config ",
     .behind = "--votes",
     .reads = OptionReads::kFolder},
    kWhereRow,
    kSampleRow,
    kSampleSeedRow,
};

}  // namespace assay
