// Starts programs with posix_spawn, closing every other descriptor.
#include "io/exec/spawn.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <spawn.h>

#include <cerrno>
#include <cstring>

namespace assay {

namespace {

constexpr int kFirstClosed = 3;

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

void AddStream(posix_spawn_file_actions_t& actions, int from, int to) {
  if (from < 0) {
    posix_spawn_file_actions_addopen(&actions, to, "/dev/null", to == 0 ? O_RDONLY : O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, from, to);
  }
}

}  // namespace

Result<pid_t> SpawnInSession(std::vector<std::string> argv, std::vector<std::string> environment,
                             const SpawnStreams& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  AddStream(actions, streams.input, 0);
  AddStream(actions, streams.output, 1);
  AddStream(actions, streams.errors, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, kFirstClosed);
  // This process blocks and ignores signals that the program has its own use for.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, argv[0].c_str(), &actions, &attributes, Pointers(argv).data(),
                                  Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == 0) return pid;
  return Error{failed == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
               fmt::format("{} cannot be started: {}", argv[0], std::strerror(failed))};
}

SandboxPipe OpenBlockingPipe() {
  SandboxPipe pipe = OpenPipe();
  if (pipe.read.is_open()) fcntl(pipe.read.get(), F_SETFL, 0);
  return pipe;
}

}  // namespace assay
