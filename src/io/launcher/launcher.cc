// Chooses the strongest sandbox level that works here, and ProcessLauncher's public functions.
#include "io/launcher/launcher.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/completion_queue.h"
#include "io/launcher/loop.h"

namespace assay {

namespace {

// A folder that is ours alone; programs that are another user pass through it to what is theirs.
Result<std::string> MakeFolder(const std::string& parent) {
  std::error_code ignored;  // mkdtemp() says it again
  std::string path = std::filesystem::canonical(parent, ignored).string() + "/assay-XXXXXX";
  if (mkdtemp(path.data()) == nullptr || chmod(path.c_str(), geteuid() == 0 ? 0711 : 0700) != 0)
    return Error{ErrorCode::kIo, fmt::format("no folder for programs can be made in {}", parent)};
  return path;
}

Result<std::unique_ptr<LauncherLoop>> StartLoop(const LauncherOptions& options, SandboxLevel level) {
  ASSAY_TRY(HostKind kind, MakeHostKind(level));
  kind.landlock_most = options.landlock_most;
  kind.end_most = options.end_most;
  if (level != SandboxLevel::kNamespaces) {
    ASSAY_TRY(kind.folder, MakeFolder(options.folder));
  }
  SandboxPipe wake = OpenPipe();
  if (!wake.write.is_open()) return Error{ErrorCode::kIo, "too many open files to run programs"};
  fcntl(wake.write.get(), F_SETFL, O_NONBLOCK);
  return std::make_unique<LauncherLoop>(options, std::move(kind), std::move(wake));
}

// Nobody waits longer to learn whether programs can run at all.
constexpr std::chrono::milliseconds kTryMost{15'000};
constexpr std::chrono::milliseconds kTryEndMost{1'000};  // it runs nothing that could be left behind

// The weakest is taken only by name.
constexpr SandboxLevel kChosen[] = {SandboxLevel::kNamespaces, SandboxLevel::kLandlock};

}  // namespace

Result<std::string> TrySandbox(SandboxLevel level, const std::string& folder, std::stop_token stop) {
  LauncherOptions options;
  options.level = level;
  options.folder = folder;
  options.start_most = kTryMost;
  options.end_most = kTryEndMost;
  InstalledToolchain& shell = options.toolchains.emplace_back();
  shell.name = "sh";
  shell.environment = {{"PATH", "/usr/bin:/bin"}};
  CompletionQueue replies;  // before the loop, which ends before it
  ASSAY_TRY(const std::unique_ptr<LauncherLoop> loop, StartLoop(options, level));
  ProcessRequest request;
  request.argv = {"sh", "-c", "exit 7"};
  request.toolchain = "sh";
  request.limits.wall = kTryMost / 3;
  loop->Post({.ticket = 1, .request = std::move(request), .sink = &replies});
  // Whichever comes first is taken; the loop ends before the queue.
  const std::stop_callback stopped(std::move(stop), [&replies] {
    ProcessReply reply;
    reply.error = Error{ErrorCode::kCancelled, "stopped before a sandbox was found"};
    replies.Deliver({.ticket = 1, .reply = std::move(reply)});
  });
  ProcessReply said = replies.TakeProgram();
  if (said.error) return *said.error;
  if (said.exit_code != 7) return Error{ErrorCode::kUnsupported, "a first program does not run as it should"};
  return said.sandbox;
}

Result<SandboxLevel> ChooseSandbox(std::optional<SandboxLevel> wanted, const std::string& folder,
                                   std::stop_token stop) {
  if (wanted == SandboxLevel::kNone) return SandboxLevel::kNone;
  std::string reasons;
  for (const SandboxLevel level : kChosen) {
    if (wanted && *wanted != level) continue;
    const Result<std::string> works = TrySandbox(level, folder, stop);
    if (works) return level;
    if (works.error().code == ErrorCode::kCancelled) return works.error();
    reasons += fmt::format("; {}: {}", SandboxLevelName(level), works.error().message);
  }
  return Error{ErrorCode::kUnsupported, fmt::format("no sandbox works here{}", reasons)};
}

std::vector<ProcessReply> RunAll(SandboxLevel level, LauncherOptions options,
                                 std::vector<ProcessRequest> requests) {
  std::vector<ProcessReply> replies(requests.size());
  if (requests.empty()) return replies;
  CompletionQueue said;  // before the loop, which ends before it
  const Result<std::unique_ptr<LauncherLoop>> loop = StartLoop(options, level);
  if (!loop) {
    for (ProcessReply& reply : replies) reply.error = loop.error();
    return replies;
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    (*loop)->Post({.ticket = i, .request = std::move(requests[i]), .sink = &said});
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Completion completion = said.Take();
    replies[completion.ticket] = std::get<ProcessReply>(std::move(completion.reply));
  }
  return replies;
}

Result<std::unique_ptr<ProcessLauncher>> ProcessLauncher::Open(LauncherOptions options,
                                                               std::stop_token stop) {
  ASSAY_TRY(const SandboxLevel level, ChooseSandbox(options.level, options.folder, std::move(stop)));
  options.level = level;
  ASSAY_TRY(std::unique_ptr<LauncherLoop> loop, StartLoop(options, level));
  return std::make_unique<ProcessLauncher>(std::move(loop), level);
}

ProcessLauncher::ProcessLauncher(std::unique_ptr<LauncherLoop> loop, SandboxLevel level)
    : loop_(std::move(loop)), level_(level) {}

ProcessLauncher::~ProcessLauncher() = default;

void ProcessLauncher::Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) {
  loop_->Post({.ticket = ticket, .request = std::move(request), .sink = &sink});
}

void ProcessLauncher::CancelAll() { loop_->CancelAll(); }

}  // namespace assay
