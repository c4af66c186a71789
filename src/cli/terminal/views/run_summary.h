// The messages at the end of a run: what failed and why, what was not asked, what was retried or slow, and
// what it cost.
#pragma once

#include <string>

#include "engine/run/failed_requests.h"
#include "run/executor/executor.h"

namespace assay {

// Lines for standard error; "" if there is nothing to tell. `words`: behind `assay run`, for what asks only
// the rest again.
std::string ProblemsOfRun(const Executor& executor, const std::string& words);
// The same of a run whose requests others sent, for whoever makes its report. `unsent`: UnsentText of it, or "".
std::string ProblemsOfOthers(const FailedRequests& failed, const std::string& unsent,
                             const std::string& words);
// The same of what is worth knowing and no problem.
std::string NotesOfRun(const Executor& executor);

}  // namespace assay
