// Receives messages with descriptors, and clones supervisors into new namespaces.
#include "io/sandbox_host/host.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <map>

#include "io/sandbox_host/fence/listener.h"
#include "io/sandbox_host/files/files.h"
#include "io/sandbox_host/processes/processes.h"
#include "io/sandbox_host/supervisor.h"
#include "io/sandbox_host/warm.h"

namespace assay {

namespace {

constexpr unsigned long kNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

// False: the launcher has gone.
bool Receive(int control, RunFiles& files) {
  std::uint8_t optional = 0;
  iovec byte{&optional, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(kSandboxFilesMax * sizeof(int))];
  msghdr message{};
  message.msg_iov = &byte;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (recvmsg(control, &message, MSG_CMSG_CLOEXEC) <= 0) return false;
  std::vector<int> received;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    const std::size_t before = received.size();
    received.resize(before + count);
    std::memcpy(received.data() + before, CMSG_DATA(part), count * sizeof(int));
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < kSandboxFixedFiles && next < received.size(); ++i) {
    if (i == kProofPipe && (optional & kHasProof) == 0) continue;
    if (i == kCpuFile && (optional & kHasCpuFile) == 0) continue;
    files.fixed[i] = received[next++];
  }
  files.cgroups.assign(received.begin() + static_cast<std::ptrdiff_t>(next), received.end());
  return true;
}

void Close(const RunFiles& files) {
  for (const int file : files.fixed) {
    if (file >= 0) close(file);
  }
  for (const int file : files.cgroups) close(file);
}

// Living supervisors and the folders of their runs.
using Supervisors = std::map<pid_t, std::string>;

// A name that no neighbour can guess. The supervisor makes the folder.
std::string NewFolder(const SandboxSetup& setup) {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) _exit(1);
  std::string name = setup.folder + "/run-";
  for (const unsigned char byte : bytes) {
    for (const int digit : {byte >> 4, byte & 15}) name += "0123456789abcdef"[digit];
  }
  return name;
}

// What a supervisor leaves that did not end by itself: processes, which are our children then, and a folder.
void TidyUp(const Supervisors& supervisors, const std::string& folder) {
  for (const pid_t process : ProcessesBelowUs()) {
    if (StatusField(process, "PPid") == getpid() && !supervisors.contains(process)) KillBelow(process);
  }
  RemoveTree(folder);
}

// False: no child is left.
bool Reap(Supervisors& supervisors, bool has_folders, int flags) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(-1, &status, flags)) > 0) {
    const auto found = supervisors.find(ended);
    if (found == supervisors.end()) continue;
    const std::string folder = std::move(found->second);
    supervisors.erase(found);
    if (has_folders && status != 0) TidyUp(supervisors, folder);
  }
  return ended == 0 || errno != ECHILD;
}

}  // namespace

void SayHello(const StepError& error, int control, bool has_listener) {
  SandboxHello hello;
  hello.has_listener = has_listener ? 1 : 0;
  hello.error = error.error;
  CopyStep(error, hello.step);
  if (send(control, &hello, sizeof hello, MSG_NOSIGNAL) < 0) _exit(1);
}

void Serve(const SandboxSetup& setup, int control) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  const int children = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
  const unsigned long flags =
      (setup.level == SandboxWireLevel::kNamespaces ? kNamespaces : 0) | static_cast<unsigned long>(SIGCHLD);
  const int warm = StartWarm(setup);
  const bool has_folders = setup.level != SandboxWireLevel::kNamespaces;
  if (has_folders && setup.uid != 0) syscall(SYS_setgroups, 0, nullptr);  // we act as the program's user
  if (has_folders) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  SayHello({}, control, !setup.watched_filter.empty() && CanListen());
  Supervisors supervisors;
  for (;;) {
    pollfd heard[2] = {{control, POLLIN, 0}, {children, POLLIN, 0}};
    poll(heard, 2, -1);
    if (heard[1].revents != 0) {
      signalfd_siginfo info{};
      while (read(children, &info, sizeof info) > 0) continue;
      Reap(supervisors, has_folders, WNOHANG);
    }
    if (heard[0].revents == 0) continue;
    RunFiles files;
    if (!Receive(control, files)) {
      // Supervisors without namespaces end their programs themselves.
      while (has_folders && Reap(supervisors, has_folders, 0)) continue;
      _exit(0);
    }
    const std::string folder = has_folders ? NewFolder(setup) : "";
    const long pid = syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr);
    if (pid == 0) {
      close(control);
      Supervise(setup, files, folder, warm);
    }
    if (pid > 0) supervisors[static_cast<pid_t>(pid)] = folder;
    if (pid < 0) {
      SandboxReport report;
      report.error = errno;
      std::string_view("make namespaces").copy(report.step, sizeof report.step - 1);
      send(files.fixed[kStatusSocket], &report, sizeof report, MSG_NOSIGNAL);
    }
    Close(files);
  }
}

}  // namespace assay
