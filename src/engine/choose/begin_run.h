// Begins a run in the store.
#pragma once

#include <optional>
#include <vector>

#include "engine/choose/chosen_run.h"

namespace assay {

// A new run, in a folder of its own where the dialect gives it one. `runs`: all of the store. `repeated`: a
// finished run that it would only repeat, whose cells it has.
Result<ChosenRun> BeginRun(const RunChoice& choice, const std::vector<RunRecord>& runs,
                           const std::optional<RunRecord>& repeated);

}  // namespace assay
