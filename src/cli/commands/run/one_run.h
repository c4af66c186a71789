// Evaluates one file of `assay run`: its passes, from the choice of a run to the files that are written.
#pragma once

#include "base/errors/result.h"
#include "cli/commands/run/session.h"

namespace assay {

// Returns the exit code of the run. An error keeps the run from its end; what was answered is in the store.
Result<ExitCode> EvaluateRun(Session& session, const RunInput& input);

}  // namespace assay
