// A list of what is refused: programs of many runtimes must work, so all else is allowed. What guards the
// machine is the level's other half; the filter takes away what could weaken it, and what kernels had most
// holes in.
#include "io/sandbox_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>

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
    "mknod",
    "mknodat",
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

// Without namespaces of its own every process and every shared object of the user would be in reach.
constexpr std::array kRefusedWithoutNamespaces = {
    "pidfd_open", "pidfd_send_signal", "shmget", "shmat",       "shmctl",    "semget", "semctl", "msgget",
    "msgctl",     "mq_open",           "socket", "setpriority", "ioprio_set"};

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

// New namespaces would give new rights. clone3 hides its flags in memory; told that there is none, libraries
// take clone.
bool RefuseNamespaces(const Filter& filter) {
  constexpr std::array<std::uint64_t, 8> kFlags = {CLONE_NEWNS,  CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET,
                                                   CLONE_NEWIPC, CLONE_NEWUTS,  CLONE_NEWCGROUP, 0x80};
  bool done = Refuse(filter, "clone3", ENOSYS);
  for (const std::uint64_t flag : kFlags)
    done = done && RefuseIf(filter, SCMP_SYS(clone), EPERM, Argument(0, SCMP_CMP_MASKED_EQ, flag, flag));
  return done;
}

// Kinds of sockets. Namespaces leave those that end inside them; without, only pairs, which lead nowhere
// else.
bool RefuseSockets(const Filter& filter, SandboxLevel level) {
  if (level == SandboxLevel::kLandlock)
    return RefuseIf(filter, SCMP_SYS(socketpair), EACCES, Argument(0, SCMP_CMP_NE, AF_UNIX));
  bool done = RefuseIf(filter, SCMP_SYS(socket), EAFNOSUPPORT, Argument(0, SCMP_CMP_GE, AF_MAX));
  for (unsigned family = 0; family < AF_MAX; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    done = done && RefuseIf(filter, SCMP_SYS(socket), EAFNOSUPPORT, Argument(0, SCMP_CMP_EQ, family));
  }
  return done;
}

// Limits of other processes; one's own are process 0.
bool RefuseForeignLimits(const Filter& filter) {
  return RefuseIf(filter, SCMP_SYS(prlimit64), EPERM, Argument(0, SCMP_CMP_NE, 0));
}

// Input that is pushed into a terminal, should one be reached.
bool RefuseTerminalInput(const Filter& filter) {
  constexpr std::uint64_t kPushInput = 0x5412, kPushLine = 0x541c, kLow = 0xffffffff;
  return RefuseIf(filter, SCMP_SYS(ioctl), EPERM, Argument(1, SCMP_CMP_MASKED_EQ, kLow, kPushInput)) &&
         RefuseIf(filter, SCMP_SYS(ioctl), EPERM, Argument(1, SCMP_CMP_MASKED_EQ, kLow, kPushLine));
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

}  // namespace

Result<std::string> MakeSandboxFilter(SandboxLevel level) {
  if (level == SandboxLevel::kNone) return std::string();
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
  bool done = filter != nullptr;
  // Without the attribute a program's own set-user-id file would be asked for; the host has said so already.
  done = done && seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 0) == 0;
  done = done && seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0;
  for (const char* name : kRefused) done = done && Refuse(filter, name, EPERM);
  done = done && RefuseNamespaces(filter) && RefuseSockets(filter, level) && RefuseTerminalInput(filter);
  if (level == SandboxLevel::kLandlock) {
    for (const char* name : kRefusedWithoutNamespaces) done = done && Refuse(filter, name, EPERM);
    done = done && RefuseForeignLimits(filter);
  }
  if (!done) return Error{ErrorCode::kIo, "libseccomp cannot make the filter of system calls"};
  return Export(filter);
}

}  // namespace assay
