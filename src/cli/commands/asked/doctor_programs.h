// What `assay doctor` says about foreign programs on this machine: the sandbox level, the runtimes, and the
// packages that a suite's tests import.
#pragma once

#include <string>
#include <vector>

#include "cli/settings/options.h"

namespace assay {

struct ProgramFinding {
  std::string what;
  std::string says;  // a version, or what is missing and how to get it
};

// Without a suite: the sandbox level and what reads PDFs; with --all or --json, languages too. With
// suites: what their unit tests need, in the order of `assay list languages`. Runs programs, some in the
// sandbox, and takes up to a few seconds.
std::vector<ProgramFinding> LookAtPrograms(const Options& options);

}  // namespace assay
