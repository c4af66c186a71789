// Reads what commands need of runs from before version 6 of the store: settings from the words of the
// command, and for version 2 and older the suite from its files. Remains as long as stores of version 5 and
// older are read, and goes with the migration from 5, as history/old_runs.h does.
#pragma once

#include <memory>

#include "base/errors/result.h"
#include "cli/settings/options.h"
#include "spec/run/run_spec.h"
#include "store/store.h"

namespace assay {

// What the words of the run's command say; nothing but defaults where they are not ours.
RunSpec SpecOfWords(const RunRecord& record);

// The suite of a run that did not keep it, of the files that its words name: they must make as many cells as
// it has (kInvalidInput if they do not). `asked` says where files may be read.
Result<std::shared_ptr<const Suite>> SuiteOfFiles(const RunRecord& record, const Options& asked);

}  // namespace assay
