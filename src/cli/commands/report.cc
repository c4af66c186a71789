// assay report: the Markdown files of a finished research session, made again of its artifacts.
#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "cli/commands/command.h"
#include "cli/research_files.h"
#include "cli/passes/written_files.h"
#include "dialects/research/session.h"

namespace assay {

namespace {

// The id that titles the report: of the dataset that is named, else of the session itself.
std::optional<std::string> DatasetId(const Options& options, const std::string& folder, FileReader& files,
                                     Ui& ui) {
  if (options.dataset.empty()) {
    std::string id = research::DatasetOfSession(folder, files);
    if (!id.empty()) return id;
    ui.Problem(Printable(fmt::format("assay: {} does not say which dataset it is of; name it with --dataset",
                                     folder + "/summary.json")));
    return std::nullopt;
  }
  SourceFiles sources;
  Diagnostics diagnostics;
  std::optional<research::Dataset> dataset = LoadDataset(options.dataset, files, sources, diagnostics);
  if (const std::string problems = FormatDiagnostics(diagnostics, sources); !problems.empty())
    ui.Problem(problems);
  return dataset ? std::optional<std::string>(std::move(dataset->id)) : std::nullopt;
}

ExitCode TellFailure(const Error& error, Ui& ui) {
  ui.Problem("assay: " + Printable(error.message));
  return ExitCode::kUsage;
}

}  // namespace

ExitCode ReportCommand(const Options& options, Ui& ui) {
  const std::string named = options.arguments.empty() ? options.results_dir : options.arguments.front();
  if (named.empty() || (!options.arguments.empty() && !options.results_dir.empty())) {
    ui.Problem(
        "assay: assay report needs one folder, for example: assay report "
        "temp/research_eval/runs/20261122_101500");
    return ExitCode::kUsage;
  }
  const Result<std::string> resolved = research::ResolveOptionPath(named, RootsOfProcess());
  if (!resolved) return TellFailure(resolved.error(), ui);
  std::error_code problem;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(*resolved, problem);
  const std::string folder = problem ? *resolved : canonical.string();
  DiskFileReader files;
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
