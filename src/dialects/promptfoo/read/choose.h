// Applies what the command line says to a config: which tests, prompts and providers run, and what each test
// has besides.
#pragma once

#include <vector>

#include "base/errors/diagnostics.h"
#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/options.h"

namespace assay::promptfoo {

// The options, with those of a config's `commandLineOptions` where the user says nothing.
EvalOptions OptionsWith(const EvalOptions& options, const Map& command_line, Diagnostics& diagnostics);

// The tests that the options leave.
void ChooseTests(const EvalOptions& options, std::vector<Test>& tests, Diagnostics& diagnostics);

// `has_default_test`: a config has one, which promptfoo lets stand before a prefix of the command line.
void ApplyOptions(const EvalOptions& options, bool has_default_test, Config& config,
                  Diagnostics& diagnostics);

}  // namespace assay::promptfoo
