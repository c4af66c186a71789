// assay run-config local: the options of the blueprints' own tool, for scripts that call it.
#include <fmt/core.h>

#include "base/diagnostics.h"
#include "cli/commands/command.h"

namespace assay {

ExitCode RunConfigCommand(const Options& options, Ui& ui) {
  const std::string& from = options.arguments.front();
  if (from != "local") {
    ui.Problem(
        fmt::format("assay: run-config reads local files only, found {}; fetch the file and name it: "
                    "assay run-config local --config FILE",
                    Quoted(from)));
    return ExitCode::kUsage;
  }
  if (options.config.empty()) {
    ui.Problem("assay: run-config local needs --config FILE");
    return ExitCode::kUsage;
  }
  Options run = options;
  run.arguments = {options.config};
  run.compat = Compat::kWeval;
  run.fresh = !options.cache;
  if (run.demo_stdout) run.eval_method = "llm-coverage";
  return RunCommand(run, ui);
}

}  // namespace assay
