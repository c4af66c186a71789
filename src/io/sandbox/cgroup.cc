// Makes cgroups of version 1 or 2. A failure is no error: what cannot be limited here is watched by the
// supervisor.
#include "io/sandbox/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

namespace assay {

namespace {

constexpr std::string_view kPrefix = "assay-";

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool WriteText(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return done;
}

bool Holds(std::string_view list, std::string_view word, char separator) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(std::string{separator, '\n'}), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// The process that made a cgroup of ours, from the name "assay-PID-PLACE"; 0 for other names.
pid_t MakerOf(std::string_view name) {
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  pid_t pid = 0;
  std::from_chars(name.data(), name.data() + name.size(), pid);
  return pid;
}

void RemoveLeftOvers(const std::string& parent) {
  DIR* folder = opendir(parent.c_str());
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    const pid_t maker = MakerOf(entry->d_name);
    if (maker > 0 && kill(maker, 0) != 0 && errno == ESRCH)
      rmdir(fmt::format("{}/{}", parent, entry->d_name).c_str());
  }
  closedir(folder);
}

const char* CpuFileOf(const CgroupParent& parent) {
  return parent.version == 1 ? "/cpuacct.usage" : "/cpu.stat";
}

// Whether a cgroup made below `parent` takes a limit.
bool TryParent(CgroupParent& parent) {
  RemoveLeftOvers(parent.path);
  const std::string folder = fmt::format("{}/{}{}-probe", parent.path, kPrefix, getpid());
  if (parent.version == 2) WriteText(parent.path + "/cgroup.subtree_control", "+memory +pids");
  if (mkdir(folder.c_str(), 0755) != 0) return false;
  const std::string memory = parent.version == 1 ? "/memory.limit_in_bytes" : "/memory.max";
  parent.has_memory = parent.has_memory && access((folder + memory).c_str(), W_OK) == 0;
  parent.has_pids = parent.has_pids && access((folder + "/pids.max").c_str(), W_OK) == 0;
  parent.has_cpu = parent.has_cpu && access((folder + CpuFileOf(parent)).c_str(), R_OK) == 0;
  const bool enters = access((folder + "/cgroup.procs").c_str(), W_OK) == 0;
  rmdir(folder.c_str());
  return enters && (parent.has_memory || parent.has_pids || parent.has_cpu);
}

// The folder of a hierarchy, of the line "ID:CONTROLLERS:PATH" in /proc/self/cgroup.
std::string MountOf(std::string_view controllers) {
  std::ifstream mounts("/proc/self/mounts");
  std::string device, folder, kind, options, rest;
  while (mounts >> device >> folder >> kind >> options && std::getline(mounts, rest)) {
    if (controllers.empty() ? kind == "cgroup2" : kind == "cgroup" && Holds(options, controllers, ','))
      return folder;
  }
  return {};
}

}  // namespace

std::vector<CgroupParent> FindCgroupParents() {
  std::vector<CgroupParent> parents;
  std::istringstream lines(ReadText("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    CgroupParent parent;
    parent.version = controllers.empty() ? 2 : 1;
    parent.has_memory = controllers.empty() || Holds(controllers, "memory", ',');
    parent.has_pids = controllers.empty() || Holds(controllers, "pids", ',');
    parent.has_cpu = controllers.empty() || Holds(controllers, "cpuacct", ',');
    if (!parent.has_memory && !parent.has_pids && !parent.has_cpu) continue;
    const std::string mount = MountOf(controllers.empty()   ? ""
                                      : parent.has_memory ? "memory"
                                      : parent.has_pids   ? "pids"
                                                          : "cpuacct");
    if (mount.empty()) continue;
    parent.path = mount + line.substr(second + 1);
    if (TryParent(parent)) parents.push_back(std::move(parent));
  }
  return parents;
}

CgroupPlace::CgroupPlace(const std::vector<CgroupParent>& parents, const std::string& name) {
  for (const CgroupParent& parent : parents) {
    const std::string folder = fmt::format("{}/{}{}-{}", parent.path, kPrefix, getpid(), name);
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) continue;
    folders_.push_back(folder);
    const int door = open((folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
    if (door < 0) continue;
    doors_.push_back(door);
    if (parent.has_memory && !memory_) memory_ = Memory{folder, parent.version};
    // One process that goes over the limit takes all with it, as the supervisor does.
    if (parent.has_memory && parent.version == 2) WriteText(folder + "/memory.oom.group", "1");
    if (parent.has_cpu && cpu_file_ < 0)
      cpu_file_ = open((folder + CpuFileOf(parent)).c_str(), O_RDONLY | O_CLOEXEC);
    if (parent.has_pids && !has_pids_) {
      has_pids_ = true;
      pids_path_ = folder;
    }
  }
}

CgroupPlace::~CgroupPlace() {
  for (const int door : doors_) close(door);
  if (cpu_file_ >= 0) close(cpu_file_);
  for (const std::string& folder : folders_) rmdir(folder.c_str());
}

bool CgroupPlace::SetLimits(std::uint64_t memory_bytes, std::uint64_t processes) {
  bool done = true;
  if (memory_) {
    const bool is_first = memory_->version == 1;
    const std::string file = memory_->path + (is_first ? "/memory.limit_in_bytes" : "/memory.max");
    const std::string swap = memory_->path + (is_first ? "/memory.memsw.limit_in_bytes" : "/memory.swap.max");
    const std::string swap_text = is_first ? std::to_string(memory_bytes) : "0";
    // Version 1 counts memory with swap, which may never be less than without; so it is raised first and
    // lowered last. Where swap is not counted there is no such file.
    WriteText(swap, swap_text);
    done = WriteText(file, std::to_string(memory_bytes));
    WriteText(swap, swap_text);
  }
  if (has_pids_) done = WriteText(pids_path_ + "/pids.max", std::to_string(processes)) && done;
  return done;
}

std::uint64_t CgroupPlace::MemoryKills() const {
  if (!memory_) return 0;
  const std::string text =
      ReadText(memory_->path + (memory_->version == 1 ? "/memory.oom_control" : "/memory.events"));
  std::istringstream words(text);
  std::string name;
  std::uint64_t count = 0;
  while (words >> name >> count) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

}  // namespace assay
