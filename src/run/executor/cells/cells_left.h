// Finds which cells of an interrupted run are finished, and the progress that they count for.
#pragma once

#include <vector>

#include "plan/plan.h"
#include "run/progress.h"
#include "store/store.h"

namespace assay {

struct CellsLeft {
  std::vector<bool> finished;  // by cell; empty: none is
  Progress before;             // of the finished ones
};

// A cell is finished if it came to something that is neither an error nor lacks a verdict.
Result<CellsLeft> CellsLeftOf(Store& store, const Plan& plan, const RunRecord& run);

// By cell of the span, from its first on: whether it is finished.
Result<std::vector<bool>> FinishedIn(Store& store, const Plan& plan, const RunRecord& run, CellSpan span);

}  // namespace assay
