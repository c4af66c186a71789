// Confines a child process right before it executes a foreign program: descriptors, session, cgroups, limits,
// rights, system call filter.
#pragma once

#include "io/sandbox_host/files/run_files.h"
#include "io/sandbox_host/step.h"

namespace assay {

struct Confinement {
  const SandboxSetup& setup;
  const SandboxLimits& limits;
  const RunFiles& files;
  std::string root;        // what the program may write to, absolute
  bool has_output = true;  // else its outputs are /dev/null
  int door = -1;           // a socket to the supervisor, for the listener
};

// In the child, after which nothing but exec may follow: descriptors 0 to 3, a session of its own, cgroups,
// limits, no rights, the filter of system calls.
StepError Confine(const Confinement& confinement);

}  // namespace assay
