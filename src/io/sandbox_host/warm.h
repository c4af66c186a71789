// Warm starts: a Python interpreter beside the host has loaded a prelude and forks into the namespaces of
// each run.
#pragma once

#include <string>
#include <vector>

#include "io/sandbox_host/files/run_files.h"
#include "io/sandbox_host/step.h"

namespace assay {

// Starts it and waits until it is ready. -1 where there is none, or its prelude fails: then programs start
// cold, which shows the same failure to whom it belongs.
int StartWarm(const SandboxSetup& setup);

// Our namespaces, as the interpreter's child enters them.
std::vector<int> OpenPlaces();

// From a supervisor: has it execute `argv` here. On success a descriptor from which the status of wait() can
// be read when the program has ended; -1 if it is gone. Closes `places`.
int RunWarm(int warm, const std::vector<int>& places, const SandboxRun& run,
            const std::vector<std::string>& environment, const RunFiles& files);

}  // namespace assay
