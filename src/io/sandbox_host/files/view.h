// The view: a root file system of its own that holds exactly what one toolchain needs, read-only. Made once
// for a host; every run begins as a copy of it, to which its supervisor adds private memory and /proc.
#pragma once

#include "io/sandbox/wire.h"
#include "io/sandbox_host/step.h"

namespace assay {

// Builds the view and enters it. Needs the right to mount: root, or a fresh user namespace.
StepError EnterView(const SandboxSetup& setup);

// Maps one user and one group of the outside to `inside`, in a user namespace that was just entered.
StepError MapUser(std::uint32_t inside, std::uint32_t outside);

// /proc of the pid namespace that we are in.
StepError MountProc();

// What a run adds, in namespaces of its own: /sandbox of at most `bytes`, /proc of its own processes, and a
// writable copy of each scratch folder.
StepError MountPrivate(const SandboxSetup& setup, std::uint64_t bytes);

// Lets a program's own servers be reached: by itself, since nothing else is in its network.
StepError StartLoopback();

}  // namespace assay
