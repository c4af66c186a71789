// The command `assay run-config local`: takes the options of weval's own command, for scripts that call that
// one.
#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "cli/commands/command.h"
#include "dialects/blueprint/options.h"

namespace assay {

ExitCode RunConfigCommand(const Options& options, Ui& ui) {
  const std::string& from = options.arguments.front();
  if (from != "local") {
    ui.Problem(
        fmt::format("error: run-config reads local files only, found {}; fetch the file and name it: "
                    "assay run-config local --config FILE",
                    Quoted(from)));
    return ExitCode::kUsage;
  }
  if (options.command.config.empty()) {
    ui.Problem("error: run-config local needs --config FILE");
    return ExitCode::kUsage;
  }
  Options run = options;
  run.arguments = {options.command.config};
  run.spec.compat = Compat::kWeval;
  run.granted.calls.fresh = !options.command.cache;
  if (run.outputs.payload) {
    run.spec.own.values[std::string(kEvalMethodOption)] = {"llm-coverage"};
    run.spec.skip_summary = true;
  }
  return RunCommand(run, ui);
}

}  // namespace assay
