// Notes in the store how a process's work on a run ended (spec/run/run_ending.h).
#pragma once

#include <span>
#include <string>

#include "store/store.h"

namespace assay {

// Adds models that are asked no more; the run's parts, and its processes, may give up the same one.
void AddGivenUp(std::span<const std::string> more, RunRecord& record);

// In the run as it stands by now: nothing in one that is finished, and nothing that says less than what
// another process has noted; models that this one gave up beside theirs.
Status NoteEnding(Store& store, const RunRecord& run, RunEnding ending);

// An error ends the run; nothing where it says that another process has this one's place.
void NoteError(Store& store, const RunRecord& run, const Error& error);

}  // namespace assay
