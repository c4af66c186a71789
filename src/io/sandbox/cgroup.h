// CgroupPlace: a cgroup for one of the places in which programs run, where this machine lets us make one: the
// kernel then counts memory and processes of a program with all its children. Made once, used by one program
// after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// A folder in which we may make cgroups, for one controller (version 1) or for several (version 2).
struct CgroupParent {
  std::string path;
  int version = 1;
  bool has_memory = false;
  bool has_pids = false;
  bool has_cpu = false;
};

// What this process may use; looks at /proc/self/cgroup and tries. Empty where nothing can be limited.
// Removes what ended processes of ours left behind.
std::vector<CgroupParent> FindCgroupParents();

class CgroupPlace {
 public:
  // `name` is the last part of the paths.
  CgroupPlace(const std::vector<CgroupParent>& parents, const std::string& name);
  ~CgroupPlace();
  CgroupPlace(const CgroupPlace&) = delete;
  CgroupPlace& operator=(const CgroupPlace&) = delete;

  bool limits_processes() const { return has_pids_; }
  // For the next program. False: what was set is not known.
  bool SetLimits(std::uint64_t memory_bytes, std::uint64_t processes);
  // How often the kernel has ended a process for want of memory, ever.
  std::uint64_t MemoryKills() const;
  // What says how much processor time was used in it, ever; -1 where nothing does.
  int cpu_file() const { return cpu_file_; }
  // Files that a process writes "0" to in order to enter.
  const std::vector<int>& doors() const { return doors_; }

 private:
  struct Memory {
    std::string path;
    int version = 1;
  };
  std::vector<std::string> folders_;
  std::vector<int> doors_;
  int cpu_file_ = -1;
  std::optional<Memory> memory_;
  std::string pids_path_;
  bool has_pids_ = false;
};

}  // namespace assay
