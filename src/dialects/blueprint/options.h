// The command-line options that only blueprints have: --eval-method and --collections-repo-path.
#pragma once

#include "dialects/dialect_option.h"

namespace assay {

inline constexpr std::string_view kEvalMethodOption = "eval-method";
inline constexpr std::string_view kCollectionsOption = "collections-repo-path";

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
};

}  // namespace assay
