// Runs of versions that did not keep their suite.
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/settings/options.h"
#include "store/store.h"

namespace assay {

// What the run's own words say: what it was made with.
Result<Options> OptionsOfRun(const RunRecord& record);

// From the run's own words and the files that they name, which must make as many cells as it has
// (kInvalidInput if they do not).
Result<std::shared_ptr<const Suite>> SuiteOfFiles(const RunRecord& record, const Options& asked);

}  // namespace assay
