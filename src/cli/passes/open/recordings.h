// Opens the recorded replies of a run: --responses, --fixtures, --replay, the simulated webs of its profiles,
// or the recording beside the suite.
#pragma once

#include <string>
#include <string_view>

#include "cli/passes/open/loaded.h"

namespace assay {

// Of Load, whose value is in the making: problems go to it, and recorded answers of the suite's own format
// say whose they are.
OpenedRecordings OpenRecordings(const RunSpec& spec, const Granted& granted, Loaded& loaded,
                                FileReader& files, SourceFiles& sources);

// "civic.yml" -> "civic.replay.jsonl"
std::string ReplayPathBeside(std::string_view suite_path);
// Whether recorded replies answer for the models: those of --replay, else those beside the suite.
bool IsReplayed(const RunSpec& spec, std::string_view suite_path, FileReader& files);

}  // namespace assay
