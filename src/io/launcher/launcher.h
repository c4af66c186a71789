// ProcessLauncher: runs foreign programs in a sandbox, several at once, on a thread of its own.
//
// Each program has a work folder of its own that ends with it; it sees its toolchain and nothing else, reads
// /dev/null, and is ended with everything that it started when it ends or exceeds a limit. What a limit does:
//   wall time, CPU time, memory, file size   the program is ended; ProcessReply::limit names it. Wall time in
//               which it was ready and others ran does not count, up to ten times the limit; whoever waited
//               longer (kWaitLimit), or waited unseen by the kernel, was held up. A program that waited so
//               is started again only when processors stand idle, or after a minute
//   output      the first ProcessLimits::output_bytes of each stream are kept, the rest is thrown away; after
//               kOutputBomb bytes the program is ended
//   processes, folder size   the program's own calls fail; without namespaces the folder is measured and the
//               program ended
// Outputs become valid UTF-8: each byte that is none becomes U+FFFD, a character that the limit cuts is left
// out. docs/sandbox.md: levels, and what each stops.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "base/wire/transport.h"
#include "io/sandbox/sandbox.h"
#include "io/toolchain/toolchain.h"

namespace assay {

// Programs under way for each worker. One that waits for time or for another, and for no processor, makes
// room for the next until it wakes.
inline constexpr std::size_t kPlacesPerWorker = 4;
inline constexpr std::uint64_t kOutputBomb = 64u << 20;  // bytes of both outputs of one program

struct LauncherOptions {
  std::optional<SandboxLevel> level;  // absent: the strongest that works here, but never kNone
  std::size_t workers = 1;            // programs at once, beside those that sleep
  std::vector<InstalledToolchain> toolchains;
  std::string folder = "/tmp";  // for work folders that the level cannot make in memory (place.h)
  // How long a host may take until it is ready, and of that for a warm start, which is given up then.
  std::chrono::milliseconds start_most{60'000};
  std::chrono::milliseconds warm_most{45'000};
  // How long a host that is told to end may take, with all that it has started.
  std::chrono::milliseconds end_most{10'000};
  int landlock_most =
      1'000;  // the latest version of Landlock that is used; for tests of what older kernels lack
};

// Behind the level's name in ProcessReply::sandbox: nothing judges the calls that Landlock leaves open.
inline constexpr std::string_view kUnwatched = ", unwatched";

// What works on this machine: tries a program at `level`. An Error says what is forbidden; else what
// ProcessReply::sandbox says. Waits for seconds where a sandbox hangs, and no longer than until `stop`
// (kCancelled).
Result<std::string> TrySandbox(SandboxLevel level, const std::string& folder, std::stop_token stop = {});

// The strongest level that works here, but never kNone; or `wanted`, if it works. kUnsupported: why none
// does.
Result<SandboxLevel> ChooseSandbox(std::optional<SandboxLevel> wanted, const std::string& folder,
                                   std::stop_token stop = {});

// Runs programs at a level that works here and waits for all of them; replies are in the order of requests.
std::vector<ProcessReply> RunAll(SandboxLevel level, LauncherOptions options,
                                 std::vector<ProcessRequest> requests);

class LauncherLoop;

class ProcessLauncher final : public Launcher {
 public:
  // Tries levels, each as TrySandbox does. kUnsupported: the level does not work here, and why.
  static Result<std::unique_ptr<ProcessLauncher>> Open(LauncherOptions options, std::stop_token stop = {});
  ProcessLauncher(std::unique_ptr<LauncherLoop> loop, SandboxLevel level);
  ~ProcessLauncher() override;

  SandboxLevel level() const { return level_; }
  void Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) override;
  void CancelAll() override;

 private:
  std::unique_ptr<LauncherLoop> loop_;
  SandboxLevel level_;
};

}  // namespace assay
