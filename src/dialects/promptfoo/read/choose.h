// Applies what the command line says to a config: which tests, prompts and providers run, and what each test
// has besides.
#pragma once

#include "base/errors/diagnostics.h"
#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/options.h"

namespace assay::promptfoo {

// The options, with those of a config's `commandLineOptions` where the user says nothing.
EvalOptions OptionsWith(const EvalOptions& options, const Map& command_line, Diagnostics& diagnostics);

void ApplyOptions(const EvalOptions& options, Config& config, Diagnostics& diagnostics);

}  // namespace assay::promptfoo
