// Finds the last days of models: of those that suites ask, judges included, and of those that assay.toml
// gives names.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/options.h"

namespace assay {

struct ModelEnd {
  std::string model;  // "openai:gpt-4o-mini", or its name in assay.toml
  std::string says;   // "judge: ends on 2027-01-14, in 48 days; …"
};

// With suites on the command line, asks the services of their models for the list of models, which may name
// last days (`shutdown_date`). With --offline, without a suite, and for services that name no day, the table
// of models counts; a day of the table is reported 60 days ahead.
std::vector<ModelEnd> LastDaysOf(const Options& options);

}  // namespace assay
