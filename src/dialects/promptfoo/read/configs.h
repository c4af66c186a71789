// Reads promptfoo's configs, one or several that are joined, with all files that they name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/options.h"

namespace assay::promptfoo {

// The files of a reading, and who is told of problems.
struct ReadAccess {
  FileReader& files;
  SourceFiles& sources;
  Diagnostics& diagnostics;
};

// `paths` may be empty where the options name prompts and providers. Nothing after an error; code that the
// files name is listed, and nothing of it has run.
std::optional<Config> ReadConfigs(const std::vector<std::string>& paths, const EvalOptions& options,
                                  const ReadAccess& access);

}  // namespace assay::promptfoo
