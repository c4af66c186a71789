// Messages with descriptors, and clone.
#include "io/sandbox_host/host.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/sandbox_host/supervisor.h"
#include "io/sandbox_host/warm.h"

namespace assay {

namespace {

constexpr unsigned long kNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

// False: the launcher has gone.
bool Receive(int control, RunFiles& files) {
  char has_proof = 0;
  iovec byte{&has_proof, 1};
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
    if (i == kProofPipe && has_proof == 0) continue;
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

}  // namespace

void SayHello(const StepError& error, int control) {
  SandboxHello hello;
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
  SayHello({}, control);
  for (;;) {
    pollfd heard[2] = {{control, POLLIN, 0}, {children, POLLIN, 0}};
    poll(heard, 2, -1);
    if (heard[1].revents != 0) {
      signalfd_siginfo info{};
      while (read(children, &info, sizeof info) > 0) continue;
      while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    }
    if (heard[0].revents == 0) continue;
    RunFiles files;
    if (!Receive(control, files)) {
      // Supervisors without namespaces end their programs themselves.
      while (setup.level != SandboxWireLevel::kNamespaces && waitpid(-1, nullptr, 0) > 0) continue;
      _exit(0);
    }
    const long pid = syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr);
    if (pid == 0) {
      close(control);
      Supervise(setup, files, warm);
    }
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
