// Receives seccomp notifications, judges each call, and answers it.
#include "io/sandbox_host/fence/listener.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "io/sandbox_host/actor.h"
#include "io/sandbox_host/fence/lacks.h"

namespace assay {

namespace {

constexpr unsigned kWaitUnlessKilled = 1u << 5;  // SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, Linux 5.19
constexpr std::size_t kMessageBytes = 1024;      // later kernels may say more than our header knows

template <class T>
union Message {
  T known;
  char space[kMessageBytes];
};

int Install(const sock_fprog& program, unsigned flags) {
  return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

}  // namespace

int FilterWithListener(const std::string& filter) {
  const sock_fprog program{static_cast<unsigned short>(filter.size() / sizeof(sock_filter)),
                           const_cast<sock_filter*>(reinterpret_cast<const sock_filter*>(filter.data()))};
  const int file = Install(program, SECCOMP_FILTER_FLAG_NEW_LISTENER | kWaitUnlessKilled);
  return file >= 0 || errno != EINVAL ? file : Install(program, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

bool CanListen() {
  const pid_t pid = fork();
  if (pid == 0) {
    const sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    _exit(FilterWithListener(std::string(reinterpret_cast<const char*>(&allow), sizeof allow)) >= 0 ? 0 : 1);
  }
  int status = -1;
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

void Listener::Open(int file, Bounds bounds, std::uint32_t uid) {
  Close();
  file_ = file;
  lack_ = SandboxLack::kNothing;
  bounds_ = std::move(bounds);
  uid_ = uid;
}

void Listener::Close() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

std::int64_t Listener::Judge(const Caller& caller) {
  const Actor actor(uid_);
  if (IsLackCall(caller.number())) return JudgeLack(caller, bounds_.root, lack_);
  return IsFileCall(caller.number()) ? DoFileCall(caller, bounds_) : DoProcessCall(caller);
}

void Listener::Serve(bool has_ended) {
  Message<seccomp_notif> call;
  std::memset(&call, 0, sizeof call);
  if (ioctl(file_, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) {
    if (has_ended || (errno != ENOENT && errno != EINTR)) Close();
    return;
  }
  const std::int64_t result = Judge(Caller(file_, call.known));
  Message<seccomp_notif_resp> answer;
  std::memset(&answer, 0, sizeof answer);
  answer.known.id = call.known.id;
  if (result == kGoOn) {
    answer.known.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  } else if (result < 0) {
    answer.known.error = static_cast<int>(result);
  } else {
    answer.known.val = result;
  }
  ioctl(file_, SECCOMP_IOCTL_NOTIF_SEND, &answer);  // the caller may have died meanwhile
}

}  // namespace assay
