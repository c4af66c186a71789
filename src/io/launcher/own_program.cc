// posix_spawn and a pipe.
#include "io/launcher/own_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace assay {

namespace {

constexpr std::size_t kOutputMax = 4u << 20;
constexpr int kSilenceMs = 20'000;  // since the last byte

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// False: it fell silent.
bool ReadAll(int pipe, std::string& output) {
  char buffer[16384];
  for (;;) {
    pollfd readable{pipe, POLLIN, 0};
    if (poll(&readable, 1, kSilenceMs) <= 0) return false;
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count <= 0) return true;
    if (output.size() < kOutputMax) output.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string FindProgram(const std::string& name, const std::string& search_path) {
  for (std::string_view rest = search_path; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string path = fmt::format("{}/{}", rest.substr(0, end), name);
    struct stat found {};
    if (end > 0 && stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
        access(path.c_str(), X_OK) == 0)
      return path;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<std::string> RunOwnProgram(const std::vector<std::string>& argv,
                                  const std::vector<std::pair<std::string, std::string>>& environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{ErrorCode::kIo, "no pipe can be opened"};
  std::vector<std::string> words = argv;
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = posix_spawn(&pid, argv[0].c_str(), &actions, nullptr, Pointers(words).data(),
                                 Pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  const bool ended = failed == 0 && ReadAll(ends[0], output);
  close(ends[0]);
  if (failed != 0) return Error{ErrorCode::kIo, fmt::format("{} cannot be started", argv[0])};
  if (!ended) kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  if (!ended) return Error{ErrorCode::kTimeout, fmt::format("{} does not answer", argv[0])};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Error{ErrorCode::kIo, fmt::format("{} cannot be asked: it ends with an error", argv[0])};
  return output;
}

}  // namespace assay
