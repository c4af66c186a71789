// Finds the toolchains that a suite's programs need, and opens the launcher that runs them; it starts with
// the first program.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bounded_queue.h"
#include "base/wire/transport.h"
#include "io/launcher/launcher.h"
#include "run/executor/worker_pool.h"
#include "spec/suite/outside.h"
#include "spec/turn/message.h"

namespace assay {

struct Suite;

// Where toolchains are looked for: PATH, and the folder $ASSAY_TOOLCHAINS, else the first that is there of
// the user's own and of the machine's; root, whose home nobody else can read, looks at the machine's first.
// `sandbox`: --sandbox; they are asked at that level.
ToolchainPlaces PlacesOfToolchains(std::string_view sandbox);

struct LanguageRow;
// The names of what the language puts before its programs, for ProbeToolchain.
std::vector<std::string_view> InjectedNames(const LanguageRow& language);

// Programs under way at once: one per core, and those that sleep meanwhile.
std::size_t ProgramPlaces();

// One toolchain by its name, as it is on this machine.
Result<InstalledToolchain> FindToolchain(std::string_view name, std::string_view sandbox);

// The level of the sandbox that programs run in here: `sandbox`, --sandbox, or the strongest that works.
// kUnsupported: none does.
Result<SandboxLevel> SandboxHere(std::string_view sandbox);

struct FoundToolchains {
  std::vector<Toolchain> here;  // what there is of each language that the suite's checks name
  std::vector<InstalledToolchain> installed;
  // Languages of the suite whose runtime is there and may not be used (Toolchain::missing says why): nothing
  // that depends on it may be asked for.
  std::vector<std::string> unusable;
  std::vector<std::string> ignored;  // files of the current folder that would have chosen others, a line each
};

// What this machine has of the languages that the suite's checks name. Asks programs, which takes up to a
// second; nothing for a suite without programs.
FoundToolchains FindToolchains(const Suite& suite, std::string_view sandbox);

// Opens the sandbox at the first program, on a thread of its own, since a level that hangs takes its time;
// when that fails, every program fails with the reason.
class LazyLauncher final : public Launcher {
 public:
  // `level`: --sandbox; empty for the strongest that works.
  LazyLauncher(std::string_view level, std::vector<InstalledToolchain> toolchains);
  ~LazyLauncher() override;

  void Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) override;
  void CancelAll() override;

  // The level in force; nothing if no program has run. After CancelAll().
  std::optional<SandboxLevel> level() const { return level_; }

 private:
  struct Job {
    Ticket ticket = 0;
    ProcessRequest request;
    CompletionSink* sink = nullptr;
  };
  struct Cancel {
    std::shared_ptr<BoundedQueue<bool>> done;
  };
  using Message = std::variant<Job, Cancel>;

  void Loop();

  LauncherOptions options_;
  std::optional<SandboxLevel> level_;  // the thread's until CancelAll() returns
  BoundedQueue<Message> inbox_;
  std::stop_source stop_;
  std::optional<WorkerPool> thread_;  // from the first program on; last: it ends before anything that it uses
};

}  // namespace assay
