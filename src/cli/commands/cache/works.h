// What `assay cache` can do: a function each, which returns what is printed.
#pragma once

#include <memory>
#include <string>

#include "base/errors/result.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/write/writer.h"

namespace assay {

Result<std::string> ExplainRun(const Options& options, Ui& ui);  // explain.cc
Result<std::string> Adopt(const Options& options, Ui& ui);       // adopt.cc
Result<std::string> CopyRuns(const Options& options, Ui& ui);    // copy.cc

// Opens the store to change what is there: a store is only made by a run.
Result<std::unique_ptr<OwnStore>> OpenToChange(const Options& options, Ui& ui, OwnStoreOpener open);

}  // namespace assay
