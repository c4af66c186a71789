// Finds out what a cell of a stored run would have asked and has not: with --offline, or before it was
// stopped.
#pragma once

#include <vector>

#include "base/errors/result.h"
#include "cli/settings/options.h"
#include "run/forecast.h"
#include "run/wire/router.h"
#include "store/store.h"

namespace assay {

// The first requests of the cell that the store does not answer. None of runs whose answers were recorded:
// the store does not know what the recordings say. `digests`: of the documents that the cell has asked.
Result<std::vector<PreparedRequest>> UnaskedOf(Store& store, const RunRecord& run, CellIndex cell,
                                               const Options& options, CorpusDigests digests);

}  // namespace assay
