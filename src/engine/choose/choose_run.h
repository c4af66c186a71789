// Decides which run of the store a command works on, and begins or continues it there.
#pragma once

#include <string_view>

#include "engine/choose/chosen_run.h"
#include "engine/grants/shard_options.h"

namespace assay {

// The newest unfinished run of the same spec and the same plan; else a finished one that this command would
// only repeat; else a new one. Where each command makes a session of its own, a run that would only repeat
// another is a new one that has the other's cells. What somebody else began has scores of his: only its
// answers are used.
Result<ChosenRun> ChooseRun(const RunChoice& choice);

// The same where several processes may choose at once: one of them begins the run, the others find it. It is
// the run that the user names, where he names one.
Result<ChosenRun> ChooseSharedRun(const RunChoice& choice, const ShardOptions& sharing);

// The run of this name, as one of several processes that work on it or for its report. kInvalidInput: it is
// of another suite, or of other options; kRefused: what is here differs from where it began.
Result<ChosenRun> ChooseNamedRun(const RunChoice& choice, std::string_view name);

// The run of this name, to continue it; `asks_rest`: with what it left out when it was decided, too. As
// above; kRefused: others work on it, or it is somebody else's.
Result<ChosenRun> ChooseResumedRun(const RunChoice& choice, std::string_view name, bool asks_rest);

}  // namespace assay
