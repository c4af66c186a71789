// Reading one file.
#include "cli/passes/loaded.h"

#include "base/scoped_files.h"
#include "checks/program/program.h"
#include "cli/passes/programs.h"
#include "cli/terminal/progress.h"

#include <fmt/format.h>

namespace assay {

ReadOptions ReadOptionsOf(const Options& options) {
  return {.compat = options.compat,
          .models = options.models,
          .judges = options.judges,
          .attempts = options.attempts,
          .max_tokens = options.max_tokens,
          .limit = options.limit,
          .filter = options.filter,
          .collections_dir = options.collections_dir,
          .collections = options.settings.collections,
          .selected = options.selected,
          .weighted = options.weighted,
          .run_label = options.run_label,
          .eval_method = options.eval_method};
}

std::vector<std::string> AllowedPaths(const Options& options) {
  std::vector<std::string> paths = options.allowed_paths;
  paths.insert(paths.end(), options.settings.allowed_paths.begin(), options.settings.allowed_paths.end());
  return paths;
}

ScopedFileReader FilesOf(const Options& options, std::string_view suite_path, FileReader& files) {
  std::vector<std::string> roots = AllowedPaths(options);
  roots.emplace_back(suite_path.substr(0, suite_path.rfind('/') + 1));  // npos + 1 is the start
  if (!options.collections_dir.empty()) roots.push_back(options.collections_dir);
  return ScopedFileReader(files, roots);
}

LoadedSuite LoadSuite(const std::string& path, const Options& options, FileReader& files,
                      SourceFiles& sources) {
  LoadedSuite loaded;
  loaded.path = path;
  Result<std::string> text = files.Read(path);
  if (!text) {
    loaded.unreadable = std::move(text).error();
    return loaded;
  }
  const FileId file = sources.Add(path, std::move(*text));
  loaded.dialect = SniffDialect(path, sources.Text(file));
  if (loaded.dialect == nullptr) {
    loaded.diagnostics.Error("suite.unknown-format", "this file is in none of the formats that assay reads",
                             {.file = file, .offset = 0, .length = 0}, "`assay list dialects` names them");
    return loaded;
  }
  const ReadOptions read_options = ReadOptionsOf(options);
  ScopedFileReader own_files = FilesOf(options, path, files);
  const ReadInput input{.path = path,
                        .options = read_options,
                        .files = own_files,
                        .sources = sources,
                        .diagnostics = loaded.diagnostics};
  loaded.suite = loaded.dialect->read(input, file, sources.Text(file));
  return loaded;
}

// The original's programs all begin with the same imports.
void WarnOfAbsent(const Suite& suite, const Toolchain& toolchain, Diagnostics& diagnostics) {
  if (toolchain.absent.empty()) return;
  diagnostics.Warning(
      "suite.package-missing",
      fmt::format("programs in {} begin with {}, which {} not installed", toolchain.language,
                  fmt::join(toolchain.absent, ", "), toolchain.absent.size() == 1 ? "is" : "are"),
      suite.span, "each of them fails, as in the original; `./dev doctor --install` brings it");
}

// Tests that name a package which is not there, one warning for each package.
void WarnOfUses(const Suite& suite, const Toolchain& toolchain, Diagnostics& diagnostics) {
  for (const MissingUse& use : MissingUses(suite, toolchain)) {
    const bool is_one = use.tests == 1;
    diagnostics.Warning("suite.package-missing",
                        fmt::format("{} in {} {} {}, which is not installed", Counted(use.tests, "test"),
                                    toolchain.language, is_one ? "uses" : "use", use.package->name),
                        use.first,
                        fmt::format("{} until it is there: `./dev doctor --install`, or {}",
                                    is_one ? "it is an error" : "they are errors", use.package->install));
  }
}

// A check that cannot run its programs has no score; that is said before anything is asked.
void WarnOfMissing(const Suite& suite, Diagnostics& diagnostics) {
  const bool fails = suite.programs.missing_fails;
  for (const Toolchain& toolchain : suite.toolchains) {
    if (!toolchain.missing.empty()) {
      diagnostics.Warning(
          "suite.runtime-missing",
          fmt::format("programs in {} cannot run here: {}", toolchain.language, toolchain.missing),
          suite.span,
          fails ? "their tests fail, as in the original; `assay doctor SUITE` says what to install"
                : "their checks are errors until it is installed; `assay doctor SUITE` says what else is "
                  "missing");
    }
    if (fails) {
      WarnOfAbsent(suite, toolchain, diagnostics);
    } else {
      WarnOfUses(suite, toolchain, diagnostics);
    }
  }
}

void BuildPlan(const Options& options, LoadedSuite& loaded) {
  if (!loaded.suite) return;
  if (options.json_judges && loaded.suite->judge_reading == JudgeReading::kFirstTags) {
    loaded.diagnostics.Error("plan.json-judges", "--json-judges: --compat weval asks judges in its own way",
                             Span{}, "leave one of them out");
  }
  // Only `check --json` prints it, and a suite of 10,000 cases holds 12 MB of it.
  loaded.suite->normal_form = Value();
  loaded.toolchains = FindToolchains(*loaded.suite);
  WarnOfMissing(*loaded.suite, loaded.diagnostics);
  if (options.accept_partial) loaded.suite->completeness.accepts_partial = true;
  loaded.suite->programs.strict = options.strict;
  loaded.suite->programs.memo = !options.no_memo;
  loaded.plan = Plan::Build(*std::move(loaded.suite),
                            {.max_in_flight = options.max_in_flight,
                             .programs = ProgramPlaces(),
                             .verdict_form = options.json_judges ? VerdictForm::kJson : VerdictForm::kTags},
                            loaded.diagnostics);
  loaded.suite.reset();
}

std::string ProblemsOf(const LoadedSuite& loaded, const SourceFiles& sources, std::set<std::string>* told) {
  std::string text;
  if (loaded.unreadable) text += FormatError(*loaded.unreadable, sources);
  if (told == nullptr) return text + FormatDiagnostics(loaded.diagnostics, sources);
  Diagnostics fresh;
  for (const Diagnostic& diagnostic : loaded.diagnostics.All()) {
    if (told->insert(FormatDiagnostic(diagnostic, sources)).second) fresh.Add(diagnostic);
  }
  return text + FormatDiagnostics(fresh, sources);
}

}  // namespace assay
