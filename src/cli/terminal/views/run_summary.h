// The messages at the end of a run: what failed and why, what was not asked, what was retried or slow, and
// what it cost.
#pragma once

#include <string>

#include "cli/terminal/views/narrator.h"
#include "engine/run/ran.h"
#include "run/executor/executor.h"

namespace assay {

// Lines for standard error; "" if there is nothing to tell. `words`: behind `assay run`, for what asks only
// the rest again.
std::string ProblemsOfRun(const Executor& executor, const std::string& words);
// Why cells have no answer, of a sitting that has told nothing of it. Whoever folds a run says what those who
// sent its requests would have said.
Result<std::string> CausesOf(Store& store, const RunInput& input, const Ran& ran, const Report& report);
// Lines of what is worth knowing and no problem.
std::string NotesOfRun(const Executor& executor);

}  // namespace assay
