// The sandbox host: a small program inside assay's own, started once for each toolchain. It knows no secret,
// shares no memory with assay and has one thread, so that it may fork. Descriptor 3 leads to the launcher, 4
// holds the setup.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/sandbox_host/files/files.h"
#include "io/sandbox_host/files/view.h"
#include "io/sandbox_host/host.h"

namespace assay {

namespace {

constexpr int kControl = 3;
constexpr int kSetup = 4;

// From here on we are an ordinary user outside, whoever started us, with all rights inside only.
StepError BecomeUser(std::uint32_t uid) {
  TRY_STEP("leave all groups", syscall(SYS_setgroups, 0, nullptr));
  TRY_STEP("become another group", syscall(SYS_setresgid, uid, uid, uid));
  TRY_STEP("become another user", syscall(SYS_setresuid, uid, uid, uid));
  TRY_STEP("stay visible to ourselves", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
  return {};
}

// Namespaces in two steps: in the first the view is made, by root or by the master of a user namespace; in
// the second nothing of the machine is left but the view.
StepError EnterNamespaces(const SandboxSetup& setup, unsigned long& inner) {
  const bool is_root = setup.uid != 0;
  const std::uint32_t own = getuid();
  inner = CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET | SIGCHLD;
  TRY_STEP("make namespaces", unshare(is_root ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER));
  if (!is_root) TRY_STEPS(MapUser(0, own));
  TRY_STEPS(EnterView(setup));
  if (is_root) {
    TRY_STEPS(BecomeUser(setup.uid));
    inner |= CLONE_NEWUSER | CLONE_NEWNS;
  }
  return {};
}

StepError StartInner(const SandboxSetup& setup) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (setup.uid != 0) TRY_STEPS(MapUser(0, setup.uid));
  return MountProc();
}

int Main() {
  syscall(SYS_close_range, kSetup + 1, ~0u, 0);
  SandboxSetup setup;
  if (!SandboxRead(ReadWhole(kSetup), setup)) return 2;
  close(kSetup);
  StepError error;
  unsigned long inner = 0;
  if (setup.level != SandboxWireLevel::kNamespaces) Serve(setup, kControl);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  error = EnterNamespaces(setup, inner);
  const long pid = error.failed() ? -1 : syscall(SYS_clone, inner, nullptr, nullptr, nullptr, nullptr);
  if (!error.failed()) error = Step("make namespaces", pid);
  if (!error.failed() && pid == 0) {
    error = StartInner(setup);
    if (!error.failed()) Serve(setup, kControl);
  }
  if (error.failed()) {
    SayHello(error, kControl);
    return 1;
  }
  close(kControl);
  waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return 0;
}

}  // namespace

}  // namespace assay

int main() { return assay::Main(); }
