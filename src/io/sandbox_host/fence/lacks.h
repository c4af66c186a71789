// Records that a program asked for something honest that the sandbox cannot give (sockets, some files), so
// that its failure is not taken for a wrong answer.
#pragma once

#include <cstdint>
#include <string>

#include "io/sandbox/wire.h"
#include "io/sandbox_host/fence/caller.h"

namespace assay {

// Sockets, and new files in folders that are everybody's.
bool IsLackCall(int number);

// How the call ends, as of listener.h; what it lacks replaces kNothing. `root`: of the run's own files.
std::int64_t JudgeLack(const Caller& caller, const std::string& root, SandboxLack& lack);

}  // namespace assay
