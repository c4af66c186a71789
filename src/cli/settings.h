// assay.toml: what a project's folder says about every run in it. The command line and the environment win.
//
//   [collections]                         # what a name in capitals stands for in a blueprint's models
//   QUICK = ["openai:gpt-4o-mini", "anthropic:claude-3-5-haiku"]
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/file_reader.h"

namespace assay {

inline constexpr char kSettingsPath[] = "assay.toml";

struct Settings {
  std::map<std::string, std::vector<std::string>> collections;
};

// The settings in the current folder; none if there is no such file. Unknown keys are warnings.
Settings ReadSettings(FileReader& files, SourceFiles& sources, Diagnostics& diagnostics);

}  // namespace assay
