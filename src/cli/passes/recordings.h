// Which recorded replies a run uses: --fixtures, --replay, or the recording that lies beside the suite.
#pragma once

#include <string>
#include <vector>

#include "cli/passes/loaded.h"
#include "cli/settings/options.h"

namespace assay {

struct OpenedRecordings {
  std::vector<Recording> recordings;  // the first that has a reply wins
  std::vector<std::string> notes;     // what the user should know, one line each
};

// Problems go to the suite's diagnostics.
OpenedRecordings OpenRecordings(const Options& options, LoadedSuite& suite, FileReader& files,
                                SourceFiles& sources);

// "civic.yml" -> "civic.replay.jsonl"
std::string ReplayPathBeside(std::string_view suite_path);

}  // namespace assay
