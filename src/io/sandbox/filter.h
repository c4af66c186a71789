// Builds the seccomp filters (BPF programs) that limit the system calls of foreign programs.
#pragma once

#include <string>

#include "base/errors/result.h"
#include "io/sandbox/sandbox.h"

namespace assay {

// For the kernel: arrays of sock_filter, empty for SandboxLevel::kNone. Refused calls give the program an
// error (EPERM, or as if the kernel did not know them), they do not end it.
struct SandboxFilters {
  std::string plain;  // where no listener is to be had
  std::string
      watched;  // with one: it is asked about the calls that only it can judge. Empty: the level needs none
  std::string last;  // on top of either, once the listener has been passed on; may be empty
};

Result<SandboxFilters> MakeSandboxFilters(SandboxLevel level);

}  // namespace assay
