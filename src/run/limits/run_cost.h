// What a run cost, over all its sittings: from the store, at the prices of today's table.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "providers/facts/model_facts.h"
#include "store/store.h"

namespace assay {

struct RunCost {
  std::int64_t nano_usd = 0;
  std::uint64_t unpriced = 0;  // calls that said what they used, of models without a known price
};

// Of the exchanges that the run used, whoever asked for them first; recordings cost nothing. What a batch
// answered counts at its part of the price.
Result<RunCost> CostOfRun(Store& store, const RunRecord& run, const ModelBook& models);

}  // namespace assay
