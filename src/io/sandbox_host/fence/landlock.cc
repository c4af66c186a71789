// Builds the Landlock rules, with the kernel header of Debian 12; features of later kernels are given by
// number.
#include "io/sandbox_host/fence/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace assay {

namespace {

constexpr std::uint64_t kRefer = 1u << 13;               // since version 2
constexpr std::uint64_t kTruncate = 1u << 14;            // 3
constexpr std::uint64_t kIoctlDevice = 1u << 15;         // 5
constexpr std::uint64_t kScopeAbstractSocket = 1u << 0;  // 6
constexpr std::uint64_t kScopeSignal = 1u << 1;          // 6
constexpr std::uint64_t kNetwork = 3;                    // 4: TCP, both ways
constexpr std::uint64_t kFirst = (1u << 13) - 1;         // 1

constexpr std::uint64_t kRead =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
// What a rule about a file may name.
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                   LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kIoctlDevice;

struct Ruleset {
  std::uint64_t paths;
  std::uint64_t network;
  std::uint64_t scopes;
};

constexpr std::array kReadable = {"/usr",
                                  "/bin",
                                  "/sbin",
                                  "/lib",
                                  "/lib32",
                                  "/lib64",
                                  "/libx32",
                                  "/etc/ld.so.cache",
                                  "/etc/alternatives",
                                  "/dev/zero",
                                  "/dev/full",
                                  "/dev/random",
                                  "/dev/urandom",
                                  "/proc/cpuinfo",
                                  "/proc/meminfo",
                                  "/proc/stat",
                                  "/proc/filesystems",
                                  "/proc/sys/vm/overcommit_memory",
                                  "/proc/sys/kernel/random"};
// Of its own entry in /proc a program sees what is about it; the sockets of the machine stand there too.
constexpr std::array kOwnEntries = {
    "attr",      "auxv",      "cgroup",        "cmdline",  "comm",      "environ",   "fd",
    "fdinfo",    "io",        "limits",        "loginuid", "maps",      "mountinfo", "mounts",
    "numa_maps", "oom_score", "oom_score_adj", "sched",    "schedstat", "smaps",     "smaps_rollup",
    "stat",      "statm",     "status",        "wchan"};
constexpr std::array kWritable = {"/dev/null"};

StepError Allow(int ruleset, const std::string& path, std::uint64_t access) {
  const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return {};  // what is not there needs no rule
  struct stat found {};
  const bool is_folder = fstat(file, &found) == 0 && S_ISDIR(found.st_mode);
  const landlock_path_beneath_attr rule{.allowed_access = is_folder ? access : access & kOfFiles,
                                        .parent_fd = file};
  const StepError error =
      Step("allow " + path, syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
  close(file);
  return error;
}

}  // namespace

int LandlockVersion() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

StepError RestrictPaths(const SandboxSetup& setup, const std::string& root) {
  const int version = std::min(LandlockVersion(), static_cast<int>(setup.landlock_most));
  Ruleset rules{kFirst, 0, 0};
  if (version >= 2) rules.paths |= kRefer;
  if (version >= 3) rules.paths |= kTruncate;
  if (version >= 4) rules.network = kNetwork;
  if (version >= 5) rules.paths |= kIoctlDevice;
  if (version >= 6) rules.scopes = kScopeAbstractSocket | kScopeSignal;
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0));
  TRY_STEP("make rules for paths", ruleset);
  for (const char* path : kReadable) TRY_STEPS(Allow(ruleset, path, kRead));
  for (const std::string& path : setup.roots) TRY_STEPS(Allow(ruleset, path, kRead));
  for (const std::string& path : setup.scratch) TRY_STEPS(Allow(ruleset, path, kRead));
  for (const char* name : kOwnEntries) TRY_STEPS(Allow(ruleset, std::string("/proc/self/") + name, kRead));
  TRY_STEPS(Allow(ruleset, "/proc/self/task", LANDLOCK_ACCESS_FS_READ_DIR));
  for (const char* path : kWritable)
    TRY_STEPS(Allow(ruleset, path, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE));
  TRY_STEPS(Allow(ruleset, root, rules.paths));
  TRY_STEP("give up new rights", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  TRY_STEP("restrict paths", syscall(SYS_landlock_restrict_self, ruleset, 0));
  close(ruleset);
  return {};
}

}  // namespace assay
