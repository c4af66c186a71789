// After a run, marks replies that gave no verdict, so that the next run of the same command asks for those
// points again.
#pragma once

#include "base/errors/result.h"
#include "plan/plan.h"
#include "store/store.h"

namespace assay {

// The points that have no verdict are asked for anew by the next run of the same command: the replies that
// told nothing of them answer no request any more. Failed requests are no answers in any case. How many cells
// have such points.
Result<CellIndex> SetAsideToldNothing(Store& store, const Plan& plan, const RunRecord& run);

}  // namespace assay
