// What runs need that were begun before version 6 of the store: their links know the steps of a cell by
// numbers alone. It stays as long as stores of version 5 and older are read, and goes with the migration
// from 5.
#pragma once

#include <span>
#include <vector>

#include "report/retelling.h"
#include "store/store.h"

namespace assay {

// Which of the cell's steps embedded its answer and which the case's ideal, by what they asked for: no table
// of today is looked at, since it may lay out other steps.
Result<std::vector<EmbeddedBy>> EmbeddedIn(Store& store, const Case& the_case,
                                           std::span<const StepLink> steps);

}  // namespace assay
