// The command-line options of InfiBench suites: --weighted and --no-weights of their own, and those that
// select rows of tables.
#pragma once

#include "dialects/blueprint/options.h"
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
    kWhereRow,
    kSampleRow,
    kSampleSeedRow,
};

}  // namespace assay
