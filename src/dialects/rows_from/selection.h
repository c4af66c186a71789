// What the command line says of the rows that become cases: --where, --sample and --sample-seed.
#pragma once

#include "base/errors/diagnostics.h"
#include "dataset/load.h"
#include "spec/run/run_spec.h"

namespace assay {

// Their texts are checked where they are read.
dataset::Overrides RowOverridesOf(const OwnOptions& own);
// Tells of an option that selects rows of a file that has none; whether there is one.
bool RefuseLostSelection(const OwnOptions& own, FileId file, Diagnostics& diagnostics);

}  // namespace assay
