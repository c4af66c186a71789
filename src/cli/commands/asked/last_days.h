// Finds the last days of models: of those that suites ask, judges included, and of those that assay.toml
// gives names.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/command_line.h"

namespace assay {

struct ModelEnd {
  std::string model;  // "openai:gpt-4o-mini", or its name in assay.toml
  std::string says;   // "judge: ends on 2027-01-14, in 48 days; …"
};

// Of suites on the command line, the services of their models are asked for their lists of models, which may
// name days (`shutdown_date`); not with --offline, and nobody without a suite. Otherwise, and where a service
// says nothing, the table of models counts, which is told 60 days ahead.
std::vector<ModelEnd> LastDaysOf(const Options& options);

}  // namespace assay
