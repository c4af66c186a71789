// The steps of confinement. Their order matters: cgroups while their files are open, rights while there are
// some, the filter last.
#include "io/sandbox_host/fence/confine.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "io/sandbox_host/fence/door.h"
#include "io/sandbox_host/fence/landlock.h"
#include "io/sandbox_host/fence/listener.h"
#include "io/sandbox_host/processes/processes.h"

namespace assay {

namespace {

constexpr int kProofDescriptor = 3;
constexpr rlim_t kOpenFiles = 4096;
constexpr rlim_t kStackBytes = 64u << 20;
constexpr rlim_t kDefaultStackBytes = 8u << 20;

StepError SetLimit(decltype(RLIMIT_CPU) which, rlim_t soft, rlim_t hard) {
  rlimit current{};
  TRY_STEP("read a limit", getrlimit(which, &current));
  const rlimit wanted{std::min(soft, current.rlim_max), std::min(hard, current.rlim_max)};
  TRY_STEP("set a limit", setrlimit(which, &wanted));
  return {};
}

// A user's processes count together, wherever they run. Namespaces count their own.
std::uint64_t OtherTasks(const SandboxSetup& setup) {
  if (setup.level == SandboxWireLevel::kNamespaces) return 0;
  return TasksOfUser(setup.uid == 0 ? getuid() : setup.uid);
}

StepError SetLimits(const SandboxSetup& setup, const SandboxLimits& limits) {
  constexpr std::uint64_t kMicroseconds = 1'000'000;
  const rlim_t cpu = limits.cpu_us / kMicroseconds + 2;  // the supervisor is exact; this is behind it
  TRY_STEPS(SetLimit(RLIMIT_CPU, cpu, cpu + 2));
  TRY_STEPS(SetLimit(RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes));
  TRY_STEPS(SetLimit(RLIMIT_CORE, 0, 0));
  TRY_STEPS(SetLimit(RLIMIT_NOFILE, kOpenFiles, kOpenFiles));
  TRY_STEPS(SetLimit(RLIMIT_STACK, kDefaultStackBytes, kStackBytes));
  if (limits.processes > 0) {
    const rlim_t most = limits.processes + OtherTasks(setup);
    TRY_STEPS(SetLimit(RLIMIT_NPROC, most, most));
  }
  return {};
}

StepError EnterCgroups(const RunFiles& files) {
  for (const int cgroup : files.cgroups) TRY_STEP("enter a cgroup", write(cgroup, "0", 1));
  return {};
}

StepError TakeDescriptors(const Confinement& confinement) {
  const RunFiles& files = confinement.files;
  TRY_STEP("close the input", dup2(open("/dev/null", O_RDONLY), 0));
  const int nowhere = open("/dev/null", O_WRONLY);
  TRY_STEP("pass the output", dup2(confinement.has_output ? files.fixed[kOutputPipe] : nowhere, 1));
  TRY_STEP("pass the errors", dup2(confinement.has_output ? files.fixed[kErrorPipe] : nowhere, 2));
  if (confinement.has_output && files.fixed[kProofPipe] >= 0) {
    TRY_STEP("pass the proof", dup2(files.fixed[kProofPipe], kProofDescriptor));
  } else {
    close(kProofDescriptor);
  }
  TRY_STEP("close the rest", syscall(SYS_close_range, kProofDescriptor + 1, ~0u, 1u << 2));
  return {};
}

StepError DropRights() {
  for (int each = 0; prctl(PR_CAPBSET_READ, each, 0, 0, 0) >= 0; ++each)
    prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  TRY_STEP("give up all rights", syscall(SYS_capset, &header, none));
  TRY_STEP("give up new rights", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  return {};
}

StepError Filter(const std::string& filter) {
  if (filter.empty()) return {};
  sock_fprog program{static_cast<unsigned short>(filter.size() / sizeof(sock_filter)),
                     const_cast<sock_filter*>(reinterpret_cast<const sock_filter*>(filter.data()))};
  TRY_STEP("filter system calls", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
  return {};
}

// With a listener where one is to be had; it goes to the supervisor while descriptors can still be sent.
StepError FilterCalls(const Confinement& confinement) {
  const SandboxSetup& setup = confinement.setup;
  const int listener = setup.watched_filter.empty() ? -1 : FilterWithListener(setup.watched_filter);
  if (listener < 0) TRY_STEPS(Filter(setup.filter));
  if (listener >= 0) TRY_STEP("pass the listener", SendDescriptor(confinement.door, listener));
  close(listener);
  return Filter(setup.last_filter);
}

StepError TakeUser(std::uint32_t uid) {
  if (uid == 0) return {};
  TRY_STEP("leave all groups", syscall(SYS_setgroups, 0, nullptr));
  TRY_STEP("become another group", syscall(SYS_setresgid, uid, uid, uid));
  TRY_STEP("become another user", syscall(SYS_setresuid, uid, uid, uid));
  return {};
}

}  // namespace

StepError Confine(const Confinement& confinement) {
  setsid();
  umask(022);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  TRY_STEPS(EnterCgroups(confinement.files));
  TRY_STEPS(SetLimits(confinement.setup, confinement.limits));
  TRY_STEPS(TakeDescriptors(confinement));
  switch (confinement.setup.level) {
    case SandboxWireLevel::kNamespaces:
      TRY_STEPS(DropRights());
      break;
    case SandboxWireLevel::kLandlock:
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      TRY_STEPS(TakeUser(confinement.setup.uid));
      TRY_STEPS(DropRights());
      TRY_STEPS(RestrictPaths(confinement.setup, confinement.root));
      break;
    case SandboxWireLevel::kNone:
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      break;
  }
  return FilterCalls(confinement);
}

}  // namespace assay
