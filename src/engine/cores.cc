// Reads the quotas of the control groups that the process is in, from its own to the topmost.
#include "engine/cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace assay {

namespace {

constexpr const char* kMount = "/sys/fs/cgroup";

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Machines of more cores than a mask has room for are asked for their count.
std::size_t UsableCores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  const long usable =
      sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<std::size_t>(std::max(1L, usable));
}

// A part of a core is rounded up. No number, or a period of nothing: no quota.
std::size_t CoresOfQuota(std::string_view quota, std::string_view period) {
  constexpr std::size_t kNoQuota = static_cast<std::size_t>(-1);
  double time = 0;
  double every = 0;
  const auto is_read = [](std::string_view text, double& number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  };
  if (!is_read(quota, time) || !is_read(period, every) || time <= 0 || every <= 0) return kNoQuota;
  return std::max<std::size_t>(static_cast<std::size_t>(std::ceil(time / every)), 1);
}

struct CpuGroup {
  std::string folder;  // of the hierarchy that has quotas
  std::string path;    // below it
  bool is_unified = false;
};

// Of a line "ID:CONTROLLERS:PATH".
CpuGroup CpuGroupOf(std::string_view line) {
  const std::size_t first = std::min(line.find(':'), line.size());
  const std::size_t second = std::min(line.find(':', first + 1), line.size());
  if (second == line.size()) return {};
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  std::string path(line.substr(second + 1));
  if (controllers.empty()) return {.folder = kMount, .path = std::move(path), .is_unified = true};
  const std::string list = "," + std::string(controllers) + ",";
  if (list.find(",cpu,") == std::string::npos) return {};
  return {.folder = std::string(kMount) + "/" + std::string(controllers), .path = std::move(path)};
}

std::size_t CoresOfGroup(const CoreFacts& facts, const CpuGroup& group, const std::string& path) {
  const std::string folder = group.folder + path;
  if (!group.is_unified)
    return CoresOfQuota(facts.read(folder + "/cpu.cfs_quota_us"), facts.read(folder + "/cpu.cfs_period_us"));
  const std::string both = facts.read(folder + "/cpu.max");
  const std::size_t blank = std::min(both.find(' '), both.size());
  return CoresOfQuota(std::string_view(both).substr(0, blank),
                      std::string_view(both).substr(std::min(blank + 1, both.size())));
}

}  // namespace

std::size_t CoresOf(const CoreFacts& facts) {
  std::size_t cores = facts.usable;
  std::istringstream lines(facts.cgroups);
  for (std::string line; std::getline(lines, line);) {
    const CpuGroup group = CpuGroupOf(line);
    if (group.folder.empty()) continue;
    for (std::string path = group.path == "/" ? "" : group.path;; path.resize(path.rfind('/'))) {
      cores = std::min(cores, CoresOfGroup(facts, group, path));
      if (path.find('/') == std::string::npos) break;
    }
  }
  std::size_t given = 0;
  const auto [end, error] =
      std::from_chars(facts.slurm.data(), facts.slurm.data() + facts.slurm.size(), given);
  if (error == std::errc() && end == facts.slurm.data() + facts.slurm.size()) cores = std::min(cores, given);
  return std::max<std::size_t>(cores, 1);
}

std::size_t Cores() {
  const char* slurm = std::getenv("SLURM_CPUS_ON_NODE");
  return CoresOf({.usable = UsableCores(),
                  .cgroups = ReadText("/proc/self/cgroup"),
                  .read = ReadText,
                  .slurm = slurm == nullptr ? "" : slurm});
}

}  // namespace assay
