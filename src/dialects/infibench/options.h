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
     .help = "apply the suite's weights to cases, also with --compat infibench",
     .commands = " run grade plan check ",
     .behind = "--for"},
    {.name = kNoWeightsOption,
     .value = "",
     .help = "count all cases equally, without the suite's weights",
     .commands = " run grade plan check "},
};

}  // namespace assay
