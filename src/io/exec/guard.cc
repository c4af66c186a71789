// The guard's shell script, and the lines that tell it of process groups that start or end.
#include "io/exec/guard.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/exec/spawn.h"

namespace assay {

namespace {

constexpr const char* kScript = R"(groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="${groups%% $group *} ${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
rm -rf -- "$1")";

}  // namespace

void ExecGuard::Start(const std::string& folder) {
  SandboxPipe input = OpenBlockingPipe();
  if (!input.read.is_open()) return;
  const Result<pid_t> pid = SpawnInSession({"/bin/sh", "-c", kScript, "sh", folder}, {"PATH=/usr/bin:/bin"},
                                           {.input = input.read.get()});
  if (!pid) return;
  pid_ = *pid;
  pipe_ = std::move(input.write);
}

ExecGuard::~ExecGuard() {
  if (pid_ < 0) return;
  pipe_.Close();
  waitpid(pid_, nullptr, 0);
}

void ExecGuard::Add(pid_t group) { Say('+', group); }

void ExecGuard::Remove(pid_t group) { Say('-', group); }

void ExecGuard::Say(char sign, pid_t group) {
  const std::string line = fmt::format("{} {}\n", sign, group);
  // Who killed the guard does without it.
  if (pipe_.is_open() && write(pipe_.get(), line.data(), line.size()) < 0) pipe_.Close();
}

}  // namespace assay
