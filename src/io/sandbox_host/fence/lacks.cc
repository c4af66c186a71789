// Judges calls for sockets and for files in everybody's folders. Sockets are refused here; files are
// Landlock's to refuse, so a path that changes after it was read does no harm.
#include "io/sandbox_host/fence/lacks.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "io/sandbox_host/fence/listener.h"

namespace assay {

namespace {

constexpr std::array<std::string_view, 3> kEverybodys = {"/tmp/", "/var/tmp/", "/dev/shm/"};
// What runtimes make there by themselves and do without.
constexpr std::array<std::string_view, 2> kOfRuntimes = {"/tmp/hsperfdata_", "/tmp/.dotnet"};
// Whom libraries ask for names of users and hosts, and do without.
constexpr std::array<std::string_view, 2> kNameServices = {"/var/run/nscd/socket", "/run/nscd/socket"};

// Compilers that look for the kinds of addresses and use none.
constexpr std::array<std::string_view, 1> kLookers = {"/bin/javac"};

// Where the path of a call that may make a file stands.
struct PathCall {
  int number;
  int path;
};
constexpr PathCall kPathCalls[] = {
#ifdef SYS_open
    {SYS_open, 0}, {SYS_creat, 0}, {SYS_mkdir, 0},
#endif
    {SYS_openat, 1}, {SYS_mkdirat, 1},
};

const PathCall* FindPathCall(int number) {
  for (const PathCall& call : kPathCalls) {
    if (call.number == number) return &call;
  }
  return nullptr;
}

template <std::size_t kSize>
bool StartsWithOneOf(std::string_view path, const std::array<std::string_view, kSize>& begins) {
  return std::any_of(begins.begin(), begins.end(),
                     [path](std::string_view begin) { return path.starts_with(begin); });
}

std::int64_t JudgeFile(const Caller& caller, const PathCall& call, const std::string& root,
                       SandboxLack& lack) {
  std::string path;
  const bool is_read = caller.ReadText(caller.argument(call.path), PATH_MAX, path) == 0;
  if (is_read && StartsWithOneOf(path, kEverybodys) && !StartsWithOneOf(path, kOfRuntimes) &&
      !path.starts_with(root + "/"))
    lack = SandboxLack::kTemporaryFiles;
  return kGoOn;
}

bool IsLooker(const Caller& caller) {
  const std::string program = caller.Program();
  return std::any_of(kLookers.begin(), kLookers.end(),
                     [&program](std::string_view name) { return program.ends_with(name); });
}

// One that could ask a name service is given, and reaches nobody.
std::int64_t JudgeSocket(const Caller& caller, SandboxLack& lack) {
  constexpr int kOfLibraries = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  if (caller.argument(0) == AF_UNIX && caller.argument(1) == kOfLibraries) return kGoOn;
  const int family = caller.integer(0);
  if ((family == AF_UNIX || family == AF_INET || family == AF_INET6) && !IsLooker(caller))
    lack = SandboxLack::kSockets;
  return -EPERM;
}

std::int64_t JudgeAddress(const Caller& caller, SandboxLack& lack) {
  sockaddr_un address{};
  const std::size_t size = std::min<std::size_t>(caller.argument(2), sizeof address - 1);
  const bool is_read = caller.Read(caller.argument(1), &address, size);
  if (!is_read || !StartsWithOneOf(address.sun_path, kNameServices)) lack = SandboxLack::kSockets;
  return -EACCES;
}

}  // namespace

bool IsLackCall(int number) {
  return number == SYS_socket || number == SYS_connect || number == SYS_bind ||
         FindPathCall(number) != nullptr;
}

std::int64_t JudgeLack(const Caller& caller, const std::string& root, SandboxLack& lack) {
  if (caller.number() == SYS_socket) return JudgeSocket(caller, lack);
  if (const PathCall* call = FindPathCall(caller.number())) return JudgeFile(caller, *call, root, lack);
  return JudgeAddress(caller, lack);
}

}  // namespace assay
