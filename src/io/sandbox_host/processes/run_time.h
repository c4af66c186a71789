// RunTime: the processor time that a run has used, where neither cgroup nor kernel adds it up.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <utility>

#include "io/sandbox_host/processes/processes.h"

namespace assay {

// The kernel adds a process's time to its parent's when that waits for it. Children of a parent that ignores
// their end are waited for by nobody, and what they used is lost: so what each process was last seen with is
// kept. It is never more than was used.
class RunTime {
 public:
  // At each look; what all that were ever seen have run.
  std::uint64_t Follow(const TreeUse& use);

 private:
  using Identity = std::pair<pid_t, std::uint64_t>;
  std::map<Identity, std::uint64_t> living_;
  std::uint64_t ended_us_ = 0;
};

// What all of a cgroup have used: of "cpu.stat" (version 2) or "cpuacct.usage" (1). 0: it cannot be read.
std::uint64_t CgroupTimeUs(int file);

}  // namespace assay
