// `assay runs --watch`: who works on a run on a server, and what is left of it, told until nobody does.
#pragma once

#include "cli/commands/command.h"
#include "cli/signals.h"
#include "store/coordinator.h"
#include "store/store.h"

namespace assay {

// `name`: of the run; "latest" where the user says none.
ExitCode WatchRun(Store& store, const std::string& name, const Options& options, Ui& ui);

// "2 shards at work; ranges of cells: 3 open, 1 held, 8 done"
std::string WorkText(const RunWork& work);
// Whether shards have begun, and left nothing.
bool IsDone(const RangeCounts& ranges);

// Until the shards of a run have left no cells and nobody works on it. False: a signal came first.
Result<bool> WaitForShards(Store& store, const std::string& run_id, StopSignals& signals, Ui& ui);

}  // namespace assay
