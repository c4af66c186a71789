// Finds out what the steps of runs from before version 6 of the store did, whose links know them by slots
// alone. Remains as long as stores of version 5 and older are read, and goes with the migration from 5.
#pragma once

#include <span>
#include <vector>

#include "report/fold/retelling.h"
#include "store/store.h"

namespace assay {

// What the steps of a cell were, by what they asked for: no table of today is looked at, since it may lay out
// other steps.
Result<std::vector<LinkKind>> KindsOf(Store& store, const Case& the_case, std::span<const StepLink> links);

}  // namespace assay
