// Does calls about processes (signals, limits, priorities) in the program's place, for processes of the run
// only. A call about the caller itself is left to the kernel, since the caller cannot end and its number be
// reused while it waits.
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "io/sandbox_host/fence/listener.h"
#include "io/sandbox_host/processes/processes.h"

namespace assay {

namespace {

constexpr int kPriorityOfProcess = 1;  // IOPRIO_WHO_PROCESS
constexpr std::size_t kMaskBytesMax = 1024;
constexpr std::size_t kAttributesBytesMax = 256;

std::int64_t Result(long result) { return result < 0 ? -errno : result; }

bool IsOwn(const Caller& caller, pid_t process) {
  return process == caller.thread() || StatusField(caller.thread(), "Tgid") == process;
}

// kill(): a process, or a group by its negative number, or everybody.
std::int64_t Signal(const Caller& caller) {
  const pid_t target = caller.integer(0);
  const int signal_number = caller.integer(1);
  if (target > 0) {
    if (IsOwn(caller, target)) return kGoOn;
    return IsBelowUs(target) ? Result(kill(target, signal_number)) : -EPERM;
  }
  bool has_others = false;
  std::vector<pid_t> members = target == -1 ? ProcessesBelowUs() : GroupBelowUs(-target, has_others);
  if (target == -1) std::erase(members, static_cast<pid_t>(StatusField(caller.thread(), "Tgid")));
  if (has_others) return -EPERM;
  if (members.empty()) return -ESRCH;
  for (const pid_t member : members) kill(member, signal_number);
  return 0;
}

// tkill() and tgkill(): a thread.
std::int64_t SignalThread(const Caller& caller, bool has_process) {
  const pid_t target = caller.integer(0);
  if (IsOwn(caller, target)) return kGoOn;
  if (!IsBelowUs(target)) return -EPERM;
  return has_process ? Result(syscall(SYS_tgkill, target, caller.integer(1), caller.integer(2)))
                     : Result(syscall(SYS_tkill, target, caller.integer(1)));
}

std::int64_t QueueSignal(const Caller& caller, bool has_thread) {
  const pid_t target = caller.integer(0);
  if (IsOwn(caller, target)) return kGoOn;
  if (!IsBelowUs(target)) return -EPERM;
  siginfo_t info;
  const int last = has_thread ? 3 : 2;
  if (!caller.Read(caller.argument(last), &info, sizeof info)) return -EFAULT;
  return has_thread
             ? Result(syscall(SYS_rt_tgsigqueueinfo, target, caller.integer(1), caller.integer(2), &info))
             : Result(syscall(SYS_rt_sigqueueinfo, target, caller.integer(1), &info));
}

std::int64_t SetAffinity(const Caller& caller) {
  std::array<char, kMaskBytesMax> mask;
  const auto size = std::min<std::uint64_t>(caller.argument(1), mask.size());
  if (!caller.Read(caller.argument(2), mask.data(), size)) return -EFAULT;
  return Result(syscall(SYS_sched_setaffinity, caller.integer(0), size, mask.data()));
}

std::int64_t SetSchedule(const Caller& caller, bool has_policy) {
  sched_param wanted{};
  if (!caller.Read(caller.argument(has_policy ? 2 : 1), &wanted, sizeof wanted)) return -EFAULT;
  return has_policy ? Result(syscall(SYS_sched_setscheduler, caller.integer(0), caller.integer(1), &wanted))
                    : Result(syscall(SYS_sched_setparam, caller.integer(0), &wanted));
}

// The attributes begin with their own size.
std::int64_t SetAttributes(const Caller& caller) {
  std::array<char, kAttributesBytesMax> attributes{};
  std::uint32_t size = 0;
  if (!caller.Read(caller.argument(1), &size, sizeof size)) return -EFAULT;
  if (size > attributes.size()) return -E2BIG;
  if (!caller.Read(caller.argument(1), attributes.data(), size)) return -EFAULT;
  return Result(syscall(SYS_sched_setattr, caller.integer(0), attributes.data(), caller.integer(2)));
}

}  // namespace

std::int64_t DoProcessCall(const Caller& caller) {
  switch (caller.number()) {
    case SYS_kill:
      return Signal(caller);
    case SYS_tkill:
      return SignalThread(caller, false);
    case SYS_tgkill:
      return SignalThread(caller, true);
    case SYS_rt_sigqueueinfo:
      return QueueSignal(caller, false);
    case SYS_rt_tgsigqueueinfo:
      return QueueSignal(caller, true);
    case SYS_prlimit64:
      // Of another process only the kernel could compare the rights.
      return IsOwn(caller, caller.integer(0)) ? kGoOn : -EPERM;
    case SYS_setpriority:
      if (caller.integer(0) != PRIO_PROCESS || !IsBelowUs(caller.integer(1))) return -EPERM;
      return Result(setpriority(PRIO_PROCESS, static_cast<id_t>(caller.integer(1)), caller.integer(2)));
    case SYS_ioprio_set:
      if (caller.integer(0) != kPriorityOfProcess || !IsBelowUs(caller.integer(1))) return -EPERM;
      return Result(syscall(SYS_ioprio_set, kPriorityOfProcess, caller.integer(1), caller.integer(2)));
    default:
      break;
  }
  if (!IsBelowUs(caller.integer(0))) return -EPERM;
  switch (caller.number()) {
    case SYS_sched_setaffinity:
      return SetAffinity(caller);
    case SYS_sched_setscheduler:
      return SetSchedule(caller, true);
    case SYS_sched_setparam:
      return SetSchedule(caller, false);
    case SYS_sched_setattr:
      return SetAttributes(caller);
    default:
      return -ENOSYS;
  }
}

}  // namespace assay
