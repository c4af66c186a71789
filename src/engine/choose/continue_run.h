// Continues a run of the store: says whether this process may work on it, and notes that it does.
#pragma once

#include "engine/choose/chosen_run.h"

namespace assay {

// Which cases have changed since the run began, for people; "": none, or the store does not have its suite.
std::string ChangedSince(const RunChoice& choice, const RunRecord& run);

// Whether a stored run is the one that is asked for, however often it was resumed.
bool IsSameRun(const RunRecord& run, const RunSpec& spec);

// Whether a run that is named is of this suite and command; kInvalidInput says what differs.
Status IsOfCommand(const RunChoice& choice, const RunRecord& run);

// An unfinished run, in its folder. kRefused: it is made of other things where shards work on it, or others
// are at work on it. It is up to date if another process has finished it since it was found.
Result<ChosenRun> ContinueRun(const RunChoice& choice, const RunRecord& run);

// An unfinished run beside the others that work on it. kRefused: as above.
Result<ChosenRun> JoinRun(const RunChoice& choice, RunRecord run);

// A run that may be finished; `asks_rest`: every cell is asked now. kRefused: others are at work on it.
Result<ChosenRun> ReopenRun(const RunChoice& choice, const RunRecord& run, bool asks_rest);

}  // namespace assay
