// Makes a Suite of a config: rows of tests become cases, columns become variants.
#pragma once

#include <optional>

#include "dialects/dialect.h"
#include "dialects/promptfoo/expand/expand.h"
#include "spec/suite/suite.h"

namespace assay::promptfoo {

// Nothing after an error (but see ReadOptions::reads_on). `options`: as the command line and the environment
// have it.
std::optional<Suite> LowerConfig(Config config, const EvalOptions& options, const ReadInput& input);

}  // namespace assay::promptfoo
