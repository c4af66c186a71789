// Foreign programs of a suite: the toolchains that it needs, and the launcher, which starts with the first
// program.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/transport.h"
#include "cli/settings/options.h"
#include "io/launcher/launcher.h"

namespace assay {

// Where toolchains are looked for: PATH, and $ASSAY_TOOLCHAINS, else ~/.local/share/assay/toolchains.
ToolchainPlaces PlacesOfToolchains();

struct LanguageRow;
// The names of what the language puts before its programs, for ProbeToolchain.
std::vector<std::string_view> InjectedNames(const LanguageRow& language);

// Programs under way at once: one per core, and those that sleep meanwhile.
std::size_t ProgramPlaces();

// Fills in what this machine has of the languages that the suite's checks name. Asks programs, which takes up
// to a second; nothing for a suite without programs.
std::vector<InstalledToolchain> FindToolchains(Suite& suite);

// Opens the sandbox at the first program; when that fails, every program fails with the reason.
class LazyLauncher final : public Launcher {
 public:
  // `level`: --sandbox; empty for the strongest that works.
  LazyLauncher(std::string_view level, std::vector<InstalledToolchain> toolchains);
  ~LazyLauncher() override;

  void Run(Ticket ticket, ProcessRequest request, CompletionSink& sink) override;
  void CancelAll() override;

  // The level in force; nothing while no program has run.
  std::optional<SandboxLevel> level() const;

 private:
  LauncherOptions options_;
  std::unique_ptr<ProcessLauncher> launcher_;
  std::optional<Error> error_;
};

}  // namespace assay
