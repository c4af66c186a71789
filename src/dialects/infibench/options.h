// The command-line options that only InfiBench suites have: --weighted and --no-weights.
#pragma once

#include "dialects/dialect_option.h"

namespace assay {

// One switch for each way; of both the second wins.
inline constexpr std::string_view kWeightedOption = "weighted";
inline constexpr std::string_view kNoWeightsOption = "no-weights";

inline constexpr DialectOption kInfibenchOptions[] = {
    {.name = kWeightedOption,
     .value = "",
     .help = "cases count with the suite's weights, with --compat infibench too",
     .commands = " run grade plan check ",
     .behind = "--for"},
    {.name = kNoWeightsOption,
     .value = "",
     .help = "cases count alike, whatever weights the suite gives them",
     .commands = " run grade plan check "},
};

}  // namespace assay
