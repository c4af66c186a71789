// assay report: the Markdown files of a finished research session, made again of its artifacts.
#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "base/errors/diagnostics.h"
#include "base/files/scoped_files.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/passes/open/loaded.h"
#include "cli/passes/run/ran.h"
#include "cli/passes/run/run_record.h"
#include "cli/passes/write/written_files.h"
#include "cli/research_files.h"
#include "dialects/research/lower/options.h"
#include "dialects/research/session/session.h"

namespace assay {

namespace {

// The id that titles the report: of the dataset that is named, else of the session itself.
std::optional<std::string> DatasetId(const Options& options, const std::string& folder, FileReader& files,
                                     Ui& ui) {
  const std::string named = options.granted.own.Text(research::kDatasetOption);
  if (named.empty()) {
    std::string id = research::DatasetOfSession(folder, files);
    if (!id.empty()) return id;
    ui.Problem(Printable(fmt::format("assay: {} does not say which dataset it is of; name it with --dataset",
                                     folder + "/summary.json")));
    return std::nullopt;
  }
  SourceFiles sources;
  Diagnostics diagnostics;
  std::optional<research::Dataset> dataset = LoadDataset(named, files, sources, diagnostics);
  if (const std::string problems = FormatDiagnostics(diagnostics, sources); !problems.empty())
    ui.Problem(problems);
  return dataset ? std::optional<std::string>(std::move(dataset->id)) : std::nullopt;
}

// Paths of a store that may be somebody else's work are told.
ExitCode TellFailure(const Error& error, Ui& ui) {
  return FailWith(ui, {error.code, Printable(error.message)});
}

// Where the files of a run go: what the user names, or the run's own folder. A store may be somebody else's
// work, so that one has to lie below the current folder.
Result<std::string> FolderForRun(const RunRecord& record, const Suite& suite, const DialectRow& dialect,
                                 const Options& options) {
  const std::string& named = options.command.results_dir;
  if (!named.empty()) return research::ResolveOptionPath(named, RootsOfProcess());
  const std::string folder = research::WithoutDots(FolderOfRun(dialect, suite, record));
  if (folder.starts_with(RootsOfProcess().cwd + "/")) return folder;
  return Error{ErrorCode::kRefused,
               fmt::format("the run's folder {} is not below this one; name where the files go with "
                           "--results-dir",
                           Quoted(folder))};
}

// The files of a run, made anew of what the store has.
Status ReportRun(const std::string& name, const Options& options, Store& store, Ui& ui) {
  ASSAY_TRY(const RunRecord record, store.FindRun(name));
  const DialectRow* dialect = FindDialect(record.dialect);
  if (dialect == nullptr || !dialect->folder) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("run {} is no session of research; `assay export` and `assay show` tell of it",
                             record.context.run_id)};
  }
  ASSAY_TRY(const Report report, FoldStored(store, record, options));
  ASSAY_TRY(const std::string folder, FolderForRun(record, *report.suite, *dialect, options));
  WrittenFiles files(folder, Existing::kReplace);
  ASSAY_CHECK_OK(dialect->writer.write(report, files));
  if (const std::string note = PartToldNote(report); !note.empty()) ui.Note(note);
  ui.Out(Printable(fmt::format("Report written: {}/report.md", folder)) + "\n");
  return Ok();
}

}  // namespace

ExitCode ReportCommand(const Options& options, Ui& ui) {
  const std::string named =
      options.arguments.empty() ? options.command.results_dir : options.arguments.front();
  if (named.empty()) {
    ui.Problem(
        "assay: assay report needs the folder of a session or a run of the store, for example: assay report "
        "temp/research_eval/runs/20261122_101500");
    return ExitCode::kUsage;
  }
  std::error_code unseen;
  const bool is_run = !options.arguments.empty() && !std::filesystem::is_directory(named, unseen) &&
                      named.find('/') == std::string::npos &&
                      std::filesystem::exists(options.granted.store, unseen);
  if (is_run) {
    return WithStore(options, ui, [&](Store& store) {
      const Status written = ReportRun(named, options, store, ui);
      return written ? ExitCode::kDone : TellFailure(written.error(), ui);
    });
  }
  if (!options.arguments.empty() && !options.command.results_dir.empty())
    return TellFailure({ErrorCode::kInvalidInput,
                        "--results-dir names where the files of a run go; the folder "
                        "of a session is reported in its own place"},
                       ui);
  const Result<std::string> resolved = research::ResolveOptionPath(named, RootsOfProcess());
  if (!resolved) return TellFailure(resolved.error(), ui);
  std::error_code problem;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(*resolved, problem);
  const std::string folder = problem ? *resolved : canonical.string();
  DiskFileReader disk;
  std::vector<std::string> roots = AllowedPaths(options.granted);
  roots.push_back(folder);
  const std::string dataset = options.granted.own.Text(research::kDatasetOption);
  if (!dataset.empty()) roots.push_back(dataset);
  ScopedFileReader files(disk, roots);
  if (!std::filesystem::is_directory(folder, problem)) {
    return TellFailure(
        {ErrorCode::kNotFound, fmt::format("expected the folder of a session, found none at {}", folder)},
        ui);
  }
  const std::optional<std::string> dataset_id = DatasetId(options, folder, files, ui);
  if (!dataset_id) return ExitCode::kUsage;
  const Result<research::SessionFiles> rebuilt = research::RebuildSession(folder, folder, *dataset_id, files);
  if (!rebuilt) return TellFailure(rebuilt.error(), ui);
  WrittenFiles written(folder, Existing::kRefuse);
  for (const auto& [path, text] : *rebuilt) {
    const Status replaced =
        written.Replace(path, [&text](std::string_view) { return Result<std::string>(text); });
    if (!replaced) return TellFailure(replaced.error(), ui);
  }
  ui.Out(Printable("Report written: " + folder + "/report.md") + "\n");
  return ExitCode::kDone;
}

}  // namespace assay
