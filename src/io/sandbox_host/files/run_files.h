// RunFiles: the file descriptors that the launcher sends with a run.
#pragma once

#include <array>
#include <vector>

#include "io/sandbox/wire.h"

namespace assay {

struct RunFiles {
  std::array<int, kSandboxFixedFiles> fixed = {-1, -1, -1, -1, -1, -1};  // by SandboxFileIndex
  std::vector<int> cgroups;  // cgroup.procs of each cgroup that the program enters
};

}  // namespace assay
