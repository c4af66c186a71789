// The command-line options that select rows, for dialects whose cases are rows of tables.
#pragma once

#include "dialects/blueprint/options.h"

namespace assay::foreign {

inline constexpr DialectOption kRowOptions[] = {kWhereRow, kSampleRow, kSampleSeedRow};

}  // namespace assay::foreign
