// assay check: every problem of every file, for people, or with the normal form as JSON.
#include <fmt/core.h>

#include "cli/commands/command.h"
#include "cli/passes/loaded.h"
#include "cli/passes/reachable.h"
#include "cli/passes/recordings.h"
#include "cli/terminal/diagnostics_json.h"
#include "cli/terminal/model_notes.h"
#include "cli/terminal/progress.h"
#include "text/json/json.h"

namespace assay {

namespace {

std::string Verdict(const LoadedSuite& loaded) {
  const std::string name = Printable(loaded.path);
  const std::size_t errors = loaded.diagnostics.ErrorCount() + (loaded.unreadable ? 1 : 0);
  const std::string warnings = Counted(loaded.diagnostics.WarningCount(), "warning");
  if (loaded.plan == nullptr || errors > 0) {
    return fmt::format("{}: {}, {}\n", name, Counted(errors, "error"), warnings);
  }
  const Suite& suite = loaded.plan->suite();
  std::size_t checks = 0;
  for (const Case& the_case : suite.cases) checks += the_case.checks.size();
  return fmt::format("{}: {}, {}, {}, {}; {}\n", name, suite.dialect, Counted(suite.cases.size(), "case"),
                     Counted(suite.variants.size(), "variant"), Counted(checks, "check"), warnings);
}

}  // namespace

ExitCode CheckCommand(const Options& options, Ui& ui) {
  DiskFileReader files;
  bool has_problems = false;
  for (const std::string& path : options.arguments) {
    SourceFiles sources;  // one file's texts at a time
    LoadedSuite loaded = LoadSuite(path, options, files, sources);
    Map as_json;
    if (options.json && loaded.suite && loaded.suite->normal_form.is_map())
      as_json = std::move(loaded.suite->normal_form.AsMap());
    const OpenedRecordings recordings = OpenRecordings(options, loaded, files, sources);
    BuildPlan(options, loaded);
    if (loaded.plan != nullptr)
      WarnOfSameRequests(*loaded.plan, ModelBook(options.settings.models), loaded.diagnostics);
    if (loaded.plan != nullptr && loaded.plan->suite().refuses_unusable)
      RefuseUnknownProviders(*loaded.plan, recordings.recordings, loaded.diagnostics);
    if (options.json) {
      as_json.Set("diagnostics", DiagnosticsValue(loaded, sources));
      ui.Out(WriteEncoded(Value(std::move(as_json)), JsonStyle::kJavaScript) + "\n");
    } else {
      if (const std::string problems = ProblemsOf(loaded, sources); !problems.empty()) ui.Problem(problems);
      if (!options.quiet) ui.Out(Verdict(loaded));
    }
    has_problems = has_problems || loaded.HasErrors() ||
                   (options.fail_on_warnings && loaded.diagnostics.WarningCount() > 0);
  }
  return has_problems ? ExitCode::kUsage : ExitCode::kDone;
}

}  // namespace assay
