// Starts the sandbox host's executable from memory, and sends it messages with descriptors.
#include "io/launcher/host.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "base/errors/assert.h"
#include "io/sandbox/program.h"

namespace assay {

namespace {

// Whom programs run as, outside, when assay itself is run by root: nobody else's number.
constexpr std::uint32_t kProgramUser = 1'900'000'001;

constexpr int kEndLookMs = 2;
constexpr int kHostControl = 3;
constexpr int kHostSetup = 4;

// A host has its own session, so that a terminal's signals do not reach it, and the signals of a new program.
struct SpawnAttributes {
  SpawnAttributes() {
    posix_spawnattr_init(&value);
    posix_spawnattr_setflags(&value, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&value, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&value, &signals);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&value); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  posix_spawnattr_t value;
};

struct SpawnActions {
  SpawnActions(int control, int setup) {
    posix_spawn_file_actions_init(&value);
    posix_spawn_file_actions_addchdir_np(&value, "/");
    posix_spawn_file_actions_addopen(&value, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&value, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&value, 1, 2);
    posix_spawn_file_actions_adddup2(&value, control, kHostControl);
    posix_spawn_file_actions_adddup2(&value, setup, kHostSetup);
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&value); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t value;
};

SandboxWireLevel WireLevel(SandboxLevel level) {
  switch (level) {
    case SandboxLevel::kNamespaces:
      return SandboxWireLevel::kNamespaces;
    case SandboxLevel::kLandlock:
      return SandboxWireLevel::kLandlock;
    case SandboxLevel::kNone:
      break;
  }
  return SandboxWireLevel::kNone;
}

}  // namespace

Result<HostKind> MakeHostKind(SandboxLevel level) {
  HostKind kind;
  kind.level = level;
  ASSAY_TRY(kind.filters, MakeSandboxFilters(level));
  const std::string program = UnpackedProgram(kSandboxProgram);
  ASSAY_ASSERT(!program.empty());  // the build packed it
  kind.program = OpenMemoryFile("assay-sandbox", program);
  if (!kind.program.is_open()) return Error{ErrorCode::kIo, "there is no memory for the sandbox's program"};
  return kind;
}

Result<LauncherHost> LauncherHost::Start(const HostKind& kind, SandboxSetup setup) {
  setup.level = WireLevel(kind.level);
  setup.uid = geteuid() == 0 && kind.level != SandboxLevel::kNone ? kProgramUser : 0;
  setup.filter = kind.filters.plain;
  setup.watched_filter = kind.filters.watched;
  setup.last_filter = kind.filters.last;
  setup.landlock_most = static_cast<std::uint32_t>(kind.landlock_most);
  setup.folder = kind.folder;
  const SandboxFd setup_file = OpenMemoryFile("setup", SandboxBytes(setup));
  SandboxPipe sockets = OpenSocketPair();
  if (!setup_file.is_open() || !sockets.write.is_open())
    return Error{ErrorCode::kIo, "the sandbox cannot be started: too many open files"};
  const SpawnAttributes attributes;
  const SpawnActions actions(sockets.write.get(), setup_file.get());
  std::string path = fmt::format("/proc/self/fd/{}", kind.program.get());
  std::string name = "assay-sandbox";
  std::array<char*, 2> argv = {name.data(), nullptr};
  std::array<char*, 1> environment = {nullptr};
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, path.c_str(), &actions.value, &attributes.value, argv.data(), environment.data());
  if (error != 0)
    return Error{ErrorCode::kIo, fmt::format("the sandbox cannot be started: {}", std::strerror(error))};
  return LauncherHost(std::move(sockets.read), pid, kind);
}

LauncherHost::LauncherHost(LauncherHost&& other) noexcept
    : control_(std::move(other.control_)),
      pid_(std::exchange(other.pid_, -1)),
      level_(other.level_),
      end_most_(other.end_most_),
      is_ready_(other.is_ready_),
      has_listener_(other.has_listener_) {}

LauncherHost::~LauncherHost() {
  if (pid_ <= 0) return;
  control_.Close();
  // In namespaces its children have asked to die with it; elsewhere it has to wait for them, but not for
  // ever.
  if (level_ != SandboxLevel::kNamespaces && is_ready_) {
    for (int waited_ms = 0; waited_ms < end_most_.count(); waited_ms += kEndLookMs) {
      if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
      poll(nullptr, 0, kEndLookMs);
    }
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

Status LauncherHost::ReadHello() {
  SandboxHello hello;
  const ssize_t count = recv(control_.get(), &hello, sizeof hello, MSG_DONTWAIT);
  if (count != sizeof hello) return Error{ErrorCode::kIo, "the sandbox ended at once"};
  has_listener_ = hello.has_listener != 0;
  is_ready_ = hello.error == 0;
  if (is_ready_) return Ok();
  return Error{ErrorCode::kUnsupported,
               fmt::format("this machine forbids it: {} ({})", hello.step, std::strerror(hello.error))};
}

bool LauncherHost::Send(std::span<const int> files, std::uint8_t optional) {
  iovec vector{&optional, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(kSandboxFilesMax * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = CMSG_SPACE(files.size_bytes());
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(files.size_bytes());
  std::memcpy(CMSG_DATA(part), files.data(), files.size_bytes());
  return sendmsg(control_.get(), &message, MSG_NOSIGNAL) == 1;
}

}  // namespace assay
