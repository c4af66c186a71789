// Converts a ProcessRequest to the form that the sandbox host takes, and its limits.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "io/sandbox/wire.h"

namespace assay {

// Puts the nonce into the epilogue and the epilogue behind its file. kInvalidInput: a path that leads out of
// the work folder or occurs twice, no program, an epilogue for a file that is not there.
Result<SandboxRun> MakeSandboxRun(ProcessRequest request, const std::string& nonce);

// How many processes there are is the supervisor's to limit only where the kernel does not count them.
SandboxLimits MakeSandboxLimits(const ProcessLimits& limits, bool counts_processes);

// 32 hex digits that nobody can guess.
std::string MakeNonce();

}  // namespace assay
