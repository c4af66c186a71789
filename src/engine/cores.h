// How much of this machine works at once for this process.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace assay {

// The least of the cores that the scheduler gives this process, its control groups' share of their time, and
// what Slurm gave the job on this machine; at least one.
std::size_t Cores();

// What is asked of the system, for tests.
struct CoreFacts {
  std::size_t usable = 1;                                         // of the process's affinity
  std::string cgroups = {};                                       // /proc/self/cgroup
  std::function<std::string(const std::string& path)> read = {};  // a file; "" if it is not there
  std::string_view slurm = {};                                    // SLURM_CPUS_ON_NODE
};
std::size_t CoresOf(const CoreFacts& facts);

}  // namespace assay
