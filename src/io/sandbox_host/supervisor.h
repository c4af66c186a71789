// The supervisor: the parent of one foreign program. It makes the program's folder, starts it, watches its
// limits, ends all that it leaves behind, and reports the result. With namespaces it is process 1 of the
// program's own, so that its end is the end of everything.
#pragma once

#include <string>

#include "io/sandbox_host/files/run_files.h"

namespace assay {

// In a process of its own, in namespaces of its own where the level has them. Does not return. Ends early,
// and everything with it, when the launcher closes the status socket.
// `folder`: where it works, without namespaces. `warm`: of StartWarm.
[[noreturn]] void Supervise(const SandboxSetup& setup, const RunFiles& files, const std::string& folder,
                            int warm);

}  // namespace assay
