// Reads two pipes of a program in turn, as bytes come.
#include "io/exec/started_program.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/exec/spawn.h"

namespace assay {

namespace {

constexpr std::size_t kKeptBytesMax = std::size_t{1} << 20;
constexpr int kLookEveryMs = 200;
constexpr int kLooksOfATick = 25;
constexpr int kSignalBase = 128;

// Takes what is there; false at its end.
bool TakeSome(int file, std::string& text) {
  char piece[4096];
  const ssize_t count = read(file, piece, sizeof piece);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const std::size_t room = kKeptBytesMax - std::min(kKeptBytesMax, text.size());
  text.append(piece, std::min(static_cast<std::size_t>(count), room));
  return count > 0;
}

int EndOf(pid_t program) {
  int status = 0;
  while (waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

}  // namespace

Result<StartedEnd> RunToItsEnd(std::vector<std::string> words, std::vector<std::string> environment,
                               const StartedWatch& watch) {
  SandboxPipe output = OpenBlockingPipe();
  SandboxPipe errors = OpenBlockingPipe();
  if (!output.read.is_open() || !errors.read.is_open())
    return Error{ErrorCode::kIo, fmt::format("{} cannot be started: too many files are open", words.front())};
  ASSAY_TRY(const pid_t program,
            SpawnInSession(std::move(words), std::move(environment),
                           {.output = output.write.get(), .errors = errors.write.get()}));
  output.write.Close();
  errors.write.Close();
  StartedEnd end;
  bool is_line_told = watch.on_first_line == nullptr;
  pollfd files[] = {{output.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}};
  for (int looks = 1; files[0].fd >= 0 || files[1].fd >= 0; ++looks) {
    if (poll(files, std::size(files), kLookEveryMs) > 0) {
      if (files[0].revents != 0 && !TakeSome(files[0].fd, end.output)) files[0].fd = -1;
      if (files[1].revents != 0 && !TakeSome(files[1].fd, end.errors)) files[1].fd = -1;
    }
    if (!is_line_told && end.output.find('\n') != std::string::npos) {
      is_line_told = true;
      watch.on_first_line(end.output);
    }
    if (watch.is_over && !end.is_left && watch.is_over()) {
      end.is_left = true;
      kill(program, SIGTERM);
    }
    if (watch.on_tick && looks % kLooksOfATick == 0) watch.on_tick();
  }
  end.code = EndOf(program);
  return end;
}

}  // namespace assay
