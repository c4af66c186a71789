// ServePages: shows stored runs in the browser until Ctrl-C, for `assay view` and `assay run --open`.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/exit_code.h"
#include "report/decide/calibration.h"

namespace assay {

struct Suite;

struct PagesAsk {
  std::vector<std::string> stores;     // paths
  std::vector<LabelRow> labels = {};   // that people gave
  std::vector<std::string> runs = {};  // ids of those that are opened first; none: the list of runs
};
// kUsage: a store cannot be read, or the port is taken.
ExitCode ServePages(const PagesAsk& ask, const Options& options, Ui& ui);

// Where to look next after a run whose result files these are, for somebody at a terminal; "" for programs.
std::string NextStepText(const Suite& suite, const std::vector<std::string>& files, const Options& options);

}  // namespace assay
