// Restricts by Landlock which paths a process and its children may use, on machines where no mount namespace
// can be made.
#pragma once

#include "io/sandbox/wire.h"
#include "io/sandbox_host/step.h"

namespace assay {

// From now on: the toolchain is read-only, `root` is free, of /proc only what programs need of themselves,
// and nothing else. Where the kernel can (6.12), signals and abstract sockets end at our children too.
StepError RestrictPaths(const SandboxSetup& setup, const std::string& root);

// The version of Landlock that this kernel has; 0 for none.
int LandlockVersion();

}  // namespace assay
