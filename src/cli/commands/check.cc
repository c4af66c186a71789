// assay check: every problem of every file, for people, or with the normal form as JSON.
#include <fmt/core.h>

#include "cli/commands/command.h"
#include "cli/passes/planned.h"
#include "cli/terminal/diagnostics_json.h"
#include "cli/words.h"
#include "spec/keyed_headers.h"
#include "text/json/json.h"

namespace assay {

namespace {

std::string VerdictText(const Planned& planned) {
  const Problems& problems = planned.problems;
  const std::string name = Printable(problems.path);
  const std::size_t errors = problems.found.ErrorCount() + (problems.unreadable ? 1 : 0);
  const std::string warnings = Counted(problems.found.WarningCount(), "warning");
  if (planned.plan == nullptr || errors > 0) {
    return fmt::format("{}: {}, {}\n", name, Counted(errors, "error"), warnings);
  }
  const Suite& suite = planned.plan->suite();
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
    Loaded loaded =
        Load(path, options, files, sources, options.json ? NormalForm::kKept : NormalForm::kDropped);
    Map as_json;
    if (loaded.normal_form.is_map()) {
      std::optional<Value> keyed = KeyedCopyOf(loaded.normal_form);
      as_json = std::move((keyed ? *keyed : loaded.normal_form).AsMap());
    }
    const Planned planned = MakePlan(std::move(loaded), options, Purpose::kCheck);
    const Problems& problems = planned.problems;
    if (options.json) {
      as_json.Set("diagnostics", DiagnosticsValue(problems, sources));
      ui.Out(WriteEncoded(Value(std::move(as_json)), JsonStyle::kJavaScript) + "\n");
    } else {
      if (const std::string text = ProblemsText(problems, sources); !text.empty()) ui.Problem(text);
      if (!options.quiet) ui.Out(VerdictText(planned));
    }
    has_problems = has_problems || problems.HasErrors() ||
                   (options.fail_on_warnings && problems.found.WarningCount() > 0);
  }
  return has_problems ? ExitCode::kUsage : ExitCode::kDone;
}

}  // namespace assay
