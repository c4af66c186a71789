// Runs that may end early, as the command line asks for them: which options go together, and what shaped a
// run that goes on.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "cli/settings/options.h"

namespace assay {

// What does not go with --until, or without it; "" if all does.
std::string WrongUntil(const Options& options);

// Takes file and spec of the run that --resume names from the store. kRefused: somebody else made it.
Status TakeResumed(Options& options);

}  // namespace assay
