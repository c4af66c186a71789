// The filter of system calls that foreign programs run under.
#pragma once

#include <string>

#include "base/result.h"
#include "io/sandbox.h"

namespace assay {

// For the kernel: an array of sock_filter. Empty for SandboxLevel::kNone. Refused calls give the program an
// error (EPERM, or as if the kernel did not know them), they do not end it.
Result<std::string> MakeSandboxFilter(SandboxLevel level);

}  // namespace assay
