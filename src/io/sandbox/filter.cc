// Builds the seccomp filters: a list of refused system calls. Programs of many runtimes must work, so all
// other calls are allowed; the filter removes what could weaken the rest of the level, and what kernels had
// most holes in.
#include "io/sandbox/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>

namespace assay {

namespace {

// Names, not numbers: a call that this libseccomp or this machine does not know is left out.
constexpr std::array kRefused = {
    // Other processes.
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "kcmp",
    "pidfd_getfd",
    "process_madvise",
    // Views of files.
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "open_by_handle_at",
    "name_to_handle_at",
    "quotactl",
    "quotactl_fd",
    "swapon",
    "swapoff",
    "fanotify_init",
    // Namespaces.
    "unshare",
    "setns",
    // The kernel.
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "syslog",
    "acct",
    "add_key",
    "request_key",
    "keyctl",
    "lookup_dcookie",
    "iopl",
    "ioperm",
    "modify_ldt",
    "vhangup",
    // Names and time of the machine.
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "stime",
    "nfsservctl",
    "uselib",
    "ustat",
    "sysfs",
    "_sysctl",
    "migrate_pages",
    "move_pages",
    "set_mempolicy_home_node",
};

// Told that there is no such call, libraries do without. Memory that no process has mapped is counted
// nowhere; what openat2 is asked for stands in memory, where no filter sees it.
constexpr std::array kUnknown = {"clone3", "memfd_create", "memfd_secret", "shmget",     "shmat",  "shmctl",
                                 "shmdt",  "semget",       "semop",        "semtimedop", "semctl", "msgget",
                                 "msgsnd", "msgrcv",       "msgctl",       "openat2"};

// The first call that this code does not know. Later ones are told to be unknown, whatever they may do.
constexpr std::uint32_t kFirstUnknownCall = 451;

// Without namespaces of its own every shared object of the user would be in reach, and every name can be
// watched.
constexpr std::array kRefusedWithoutNamespaces = {"pidfd_open", "pidfd_send_signal", "mq_open", "mq_unlink"};
// Ends of a pair are connected, and stay so. Where these are watched the supervisor refuses them, and notes
// that a program wanted them.
constexpr std::array kRefusedUnlessWatched = {"socket", "connect", "bind"};
constexpr std::array kRefusedOfSockets = {"listen", "accept", "accept4", "sendmsg", "sendmmsg"};
constexpr std::array kUnknownWithoutNamespaces = {"inotify_init", "inotify_init1"};

struct FilterRelease {
  void operator()(scmp_filter_ctx filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, FilterRelease>;

bool Refuse(const Filter& filter, const char* name, int error) {
  const int call = seccomp_syscall_resolve_name(name);
  return call == __NR_SCMP_ERROR || seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(error), call, 0) == 0;
}

// A condition on one argument of a call. The library's macros for it are C, which clang refuses.
constexpr scmp_arg_cmp Argument(unsigned index, scmp_compare how, std::uint64_t a, std::uint64_t b = 0) {
  return {.arg = index, .op = how, .datum_a = a, .datum_b = b};
}

template <class... Conditions>
bool RefuseIf(const Filter& filter, int call, int error, Conditions... conditions) {
  return seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(error), call, sizeof...(conditions), conditions...) ==
         0;
}

// The same for the low half of it, which is all that the kernel takes of an int.
constexpr scmp_arg_cmp LowArgument(unsigned index, std::uint64_t value, std::uint64_t mask = 0xffffffff) {
  return Argument(index, SCMP_CMP_MASKED_EQ, mask, value);
}

// New namespaces would give new rights. clone3 hides its flags in memory, and is unknown.
bool RefuseNamespaces(const Filter& filter) {
  constexpr std::array<std::uint64_t, 8> kFlags = {CLONE_NEWNS,  CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET,
                                                   CLONE_NEWIPC, CLONE_NEWUTS,  CLONE_NEWCGROUP, 0x80};
  bool done = true;
  for (const std::uint64_t flag : kFlags)
    done = done && RefuseIf(filter, SCMP_SYS(clone), EPERM, Argument(0, SCMP_CMP_MASKED_EQ, flag, flag));
  return done;
}

// Without namespaces only pairs that lead nowhere else: a pair of datagrams may send to any address. A
// descriptor in a socket is open nowhere and keeps its file.
bool RefuseAllButPairs(const Filter& filter) {
  constexpr std::uint64_t kKinds = 15;
  bool done = RefuseIf(filter, SCMP_SYS(socketpair), EACCES, Argument(0, SCMP_CMP_NE, AF_UNIX)) &&
              RefuseIf(filter, SCMP_SYS(sendto), EACCES, Argument(4, SCMP_CMP_NE, 0));
  for (std::uint64_t kind = 0; kind <= kKinds; ++kind) {
    if (kind == SOCK_STREAM || kind == SOCK_SEQPACKET) continue;
    done = done && RefuseIf(filter, SCMP_SYS(socketpair), EACCES, LowArgument(1, kind, kKinds));
  }
  for (const char* name : kRefusedOfSockets) done = done && Refuse(filter, name, EACCES);
  return done;
}

// Kinds of sockets that end inside namespaces.
bool RefuseOtherSockets(const Filter& filter) {
  bool done = RefuseIf(filter, SCMP_SYS(socket), EAFNOSUPPORT, Argument(0, SCMP_CMP_GE, AF_MAX));
  for (unsigned family = 0; family < AF_MAX; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    done = done && RefuseIf(filter, SCMP_SYS(socket), EAFNOSUPPORT, Argument(0, SCMP_CMP_EQ, family));
  }
  return done;
}

// Files and memory that the accounting would not see, and being unseen.
bool RefuseHiding(const Filter& filter) {
  constexpr std::uint64_t kHugePages = 0x40000, kNeverNamed = O_TMPFILE & ~O_DIRECTORY;
  return RefuseIf(filter, SCMP_SYS(prctl), EPERM, LowArgument(0, PR_SET_DUMPABLE),
                  Argument(1, SCMP_CMP_NE, 1)) &&
         RefuseIf(filter, SCMP_SYS(mmap), ENOMEM, LowArgument(3, kHugePages, kHugePages)) &&
         RefuseIf(filter, SCMP_SYS(open), EOPNOTSUPP, LowArgument(1, kNeverNamed, kNeverNamed)) &&
         RefuseIf(filter, SCMP_SYS(openat), EOPNOTSUPP, LowArgument(2, kNeverNamed, kNeverNamed));
}

// Signals to whoever is named as the owner of a file.
bool RefuseOwners(const Filter& filter) {
  constexpr std::uint64_t kSetOwner = 0x8901, kSetGroup = 0x8902;  // of ioctl
  return RefuseIf(filter, SCMP_SYS(fcntl), EPERM, LowArgument(1, F_SETOWN)) &&
         RefuseIf(filter, SCMP_SYS(fcntl), EPERM, LowArgument(1, F_SETOWN_EX)) &&
         RefuseIf(filter, SCMP_SYS(ioctl), EPERM, LowArgument(1, kSetOwner)) &&
         RefuseIf(filter, SCMP_SYS(ioctl), EPERM, LowArgument(1, kSetGroup));
}

// Calls that change another process, and which argument names it; 0 is always oneself or one's own group.
struct ProcessCall {
  const char* name;
  unsigned who = 0;
  std::optional<std::uint64_t> user_kind = {};  // the first argument that makes it a whole user
};
constexpr std::array kProcessCalls = {
    ProcessCall{"sched_setaffinity"},
    ProcessCall{"sched_setscheduler"},
    ProcessCall{"sched_setparam"},
    ProcessCall{"sched_setattr"},
    ProcessCall{"setpriority", 1, PRIO_USER},
    ProcessCall{"ioprio_set", 1, 3},
};
constexpr std::array kSignalCalls = {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};

// In a namespace of its own a program sees its own processes, and the supervisor as process 1.
bool RefuseFirstProcess(const Filter& filter) {
  bool done = RefuseIf(filter, SCMP_SYS(prlimit64), EPERM, LowArgument(0, 1), Argument(2, SCMP_CMP_NE, 0));
  for (const ProcessCall& call : kProcessCalls) {
    const int number = seccomp_syscall_resolve_name(call.name);
    if (call.user_kind) done = done && RefuseIf(filter, number, EPERM, LowArgument(0, *call.user_kind));
    done = done && RefuseIf(filter, number, EPERM, LowArgument(call.who, 1));
  }
  for (const char* name : kSignalCalls)
    done = done && RefuseIf(filter, seccomp_syscall_resolve_name(name), EPERM, LowArgument(0, 1));
  return done;
}

// Without one it sees all, and no filter knows which are its own.
bool JudgeProcesses(const Filter& filter, std::uint32_t action) {
  bool done = seccomp_rule_add(filter.get(), action, SCMP_SYS(prlimit64), 2, Argument(0, SCMP_CMP_NE, 0),
                               Argument(2, SCMP_CMP_NE, 0)) == 0;
  for (const ProcessCall& call : kProcessCalls) {
    done = done && seccomp_rule_add(filter.get(), action, seccomp_syscall_resolve_name(call.name), 1,
                                    Argument(call.who, SCMP_CMP_NE, 0)) == 0;
    if (call.user_kind)
      done = done && RefuseIf(filter, seccomp_syscall_resolve_name(call.name), EPERM,
                              LowArgument(0, *call.user_kind), Argument(call.who, SCMP_CMP_EQ, 0));
  }
  return done;
}

// Of what has no contents of its own only pipes with a name.
bool RefuseDevices(const Filter& filter) {
  bool done = true;
  for (std::uint64_t kind = 0; kind <= S_IFMT; kind += S_IFCHR >> 1) {
    if (kind == 0 || kind == S_IFREG || kind == S_IFIFO) continue;
    done = done && RefuseIf(filter, SCMP_SYS(mknod), EPERM, LowArgument(1, kind, S_IFMT)) &&
           RefuseIf(filter, SCMP_SYS(mknodat), EPERM, LowArgument(2, kind, S_IFMT));
  }
  return done;
}

// Input that is pushed into a terminal, should one be reached.
bool RefuseTerminalInput(const Filter& filter) {
  constexpr std::uint64_t kPushInput = 0x5412, kPushLine = 0x541c;
  return RefuseIf(filter, SCMP_SYS(ioctl), EPERM, LowArgument(1, kPushInput)) &&
         RefuseIf(filter, SCMP_SYS(ioctl), EPERM, LowArgument(1, kPushLine));
}

// What rules about paths leave open: flags and leases of files that may be read, emptying them as they are
// opened.
bool RefuseFlagsOfFiles(const Filter& filter) {
  constexpr std::array<std::uint64_t, 4> kSetFlags = {0x40086602, 0x40046602, 0x401c5820, 0x40087602};
  constexpr std::array<std::uint64_t, 2> kLeases = {1024, 1026};
  constexpr std::uint64_t kEmptied = O_ACCMODE | O_TRUNC;
  bool done = RefuseIf(filter, SCMP_SYS(open), EPERM, LowArgument(1, O_TRUNC, kEmptied)) &&
              RefuseIf(filter, SCMP_SYS(openat), EPERM, LowArgument(2, O_TRUNC, kEmptied));
  for (const std::uint64_t each : kSetFlags)
    done = done && RefuseIf(filter, SCMP_SYS(ioctl), EPERM, LowArgument(1, each));
  for (const std::uint64_t each : kLeases)
    done = done && RefuseIf(filter, SCMP_SYS(fcntl), EPERM, LowArgument(1, each));
  return done;
}

Result<std::string> Export(const Filter& filter) {
  const int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0 || seccomp_export_bpf(filter.get(), file) != 0) {
    if (file >= 0) close(file);
    return Error{ErrorCode::kIo, "the filter of system calls cannot be written"};
  }
  std::string bytes(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  const ssize_t count = pread(file, bytes.data(), bytes.size(), 0);
  close(file);
  if (count != static_cast<ssize_t>(bytes.size())) return Error{ErrorCode::kIo, "the filter cannot be read"};
  return bytes;
}

// What is known by name only, and the kernel's rules about paths do not cover; signals, which they cover
// since Linux 6.12. The listener does them itself, where they end inside (fence/listener.h).
constexpr std::array kWatched = {"chmod",           "fchmod",           "fchmodat",     "chown",
                                 "lchown",          "fchown",           "fchownat",     "utime",
                                 "utimes",          "futimesat",        "utimensat",    "setxattr",
                                 "lsetxattr",       "fsetxattr",        "removexattr",  "truncate",
                                 "tkill",           "tgkill",           "lremovexattr", "fremovexattr",
                                 "rt_sigqueueinfo", "rt_tgsigqueueinfo", "mkdir",   "mkdirat",
                                 "socket",          "connect",          "bind",     "creat"};

bool WatchCalls(const Filter& filter) {
  bool done =
      seccomp_rule_add(filter.get(), SCMP_ACT_NOTIFY, SCMP_SYS(kill), 1, Argument(0, SCMP_CMP_NE, 0)) == 0 &&
      seccomp_rule_add(filter.get(), SCMP_ACT_NOTIFY, SCMP_SYS(open), 1, LowArgument(1, O_CREAT, O_CREAT)) ==
          0 &&
      seccomp_rule_add(filter.get(), SCMP_ACT_NOTIFY, SCMP_SYS(openat), 1,
                       LowArgument(2, O_CREAT, O_CREAT)) == 0;
  for (const char* name : kWatched) {
    const int call = seccomp_syscall_resolve_name(name);
    done = done && (call == __NR_SCMP_ERROR || seccomp_rule_add(filter.get(), SCMP_ACT_NOTIFY, call, 0) == 0);
  }
  return done;
}

// In front of all: calls that are newer than this code.
std::string WithoutUnknownCalls(const std::string& filter) {
  const std::array<sock_filter, 3> first = {
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      sock_filter{BPF_JMP | BPF_JGE | BPF_K, 0, 1, kFirstUnknownCall},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
  };
  std::string all(sizeof first, '\0');
  std::memcpy(all.data(), first.data(), sizeof first);
  return all + filter;
}

Filter NewFilter() {
  Filter filter(seccomp_init(SCMP_ACT_ALLOW));
  // Without the attribute a program's own set-user-id file would be asked for; the host has said so already.
  if (filter == nullptr || seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 0) != 0 ||
      seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2) != 0)
    filter.reset();
  return filter;
}

Result<std::string> MakeFilter(SandboxLevel level, bool is_watched) {
  const Filter filter = NewFilter();
  bool done = filter != nullptr;
  for (const char* name : kRefused) done = done && Refuse(filter, name, EPERM);
  for (const char* name : kUnknown) done = done && Refuse(filter, name, ENOSYS);
  done = done && RefuseNamespaces(filter) && RefuseTerminalInput(filter) && RefuseOwners(filter) &&
         RefuseDevices(filter);
  if (level == SandboxLevel::kLandlock) {
    for (const char* name : kRefusedWithoutNamespaces) done = done && Refuse(filter, name, EPERM);
    for (const char* name : kUnknownWithoutNamespaces) done = done && Refuse(filter, name, ENOSYS);
    for (const char* name : kRefusedUnlessWatched)
      done = done && (is_watched || Refuse(filter, name, EPERM));
    done = done && JudgeProcesses(filter, is_watched ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM)) &&
           (!is_watched || WatchCalls(filter));
  } else {
    done = done && RefuseOtherSockets(filter) && RefuseHiding(filter) && RefuseFirstProcess(filter);
  }
  if (!done) return Error{ErrorCode::kIo, "libseccomp cannot make the filter of system calls"};
  ASSAY_TRY(const std::string bytes, Export(filter));
  return WithoutUnknownCalls(bytes);
}

// Of two filters the stricter answer counts: what is refused here is refused whatever the listener says.
Result<std::string> MakeLastFilter() {
  const Filter filter = NewFilter();
  if (filter == nullptr || !RefuseAllButPairs(filter) || !RefuseHiding(filter) || !RefuseFlagsOfFiles(filter))
    return Error{ErrorCode::kIo, "libseccomp cannot make the filter of system calls"};
  return Export(filter);
}

}  // namespace

Result<SandboxFilters> MakeSandboxFilters(SandboxLevel level) {
  SandboxFilters filters;
  if (level == SandboxLevel::kNone) return filters;
  ASSAY_TRY(filters.plain, MakeFilter(level, false));
  if (level != SandboxLevel::kLandlock) return filters;
  ASSAY_TRY(filters.last, MakeLastFilter());
  if (Result<std::string> watched = MakeFilter(level, true)) filters.watched = std::move(*watched);
  return filters;
}

}  // namespace assay
