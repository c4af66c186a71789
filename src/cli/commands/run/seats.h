// A process in a run that several processes work on: shards, whoever hands them over, and the fold.
#pragma once

#include <optional>

#include "base/errors/result.h"
#include "cli/commands/run/session.h"
#include "engine/choose/chosen_run.h"
#include "engine/run/ran.h"

namespace assay {

// How the command ends where others do the work, or have done it. Nothing: the command goes on, and holds a
// seat in `means.shared` where others may hold one, too. kRefused: the run is worked on, or is not done.
Result<std::optional<ExitCode>> EndBeforeWork(RunMeans& means, const RunInput& input, ChosenRun& chosen,
                                              List& handed_over, Ui& ui);

// The end of a shard, whose cells came to `ran`. A shard writes no files: the fold reports its cells.
Result<ExitCode> EndShard(RunMeans& means, const RunInput& input, const Result<Ran>& ran, Ui& ui);

// Ends a run that a signal interrupts; the same command goes on.
Result<ExitCode> StopInterrupted(Store& store, const RunRecord& record, Ui& ui);

}  // namespace assay
