// What a run cost, over all its sittings: as it was added up when it ended, else from the store, at the
// prices of today's table.
#pragma once

#include "base/errors/result.h"
#include "providers/facts/model_facts.h"
#include "spec/run/run_cost.h"
#include "store/store.h"

namespace assay {

// Of the exchanges that the run used, whoever asked for them first; recordings cost nothing. What a batch
// answered counts at its part of the price. A finished run since store version 7 has its cost with it.
Result<RunCost> CostOfRun(Store& store, const RunRecord& run, const ModelBook& models);

}  // namespace assay
