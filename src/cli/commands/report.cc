// The command `assay report`: writes the result files of a finished research session, or of a stored run,
// again.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/errors/diagnostics.h"
#include "base/files/out_folder.h"
#include "base/files/scoped_files.h"
#include "base/text/names.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/stored_run.h"
#include "dialects/dialect.h"
#include "engine/choose/run_folder.h"
#include "engine/open/loaded.h"
#include "engine/research_files.h"
#include "engine/write/written_files.h"
#include "spec/suite/suite.h"
#include "store/location.h"

namespace assay {

namespace {

// Paths of a store that may be somebody else's work are told.
ExitCode TellFailure(const Error& error, Ui& ui) {
  return FailWith(ui, {error.code, Printable(error.message)});
}

bool HasHiddenPart(std::string_view path) {
  return path.starts_with('.') || path.find("/.") != std::string_view::npos;
}

// Where the files of a run go: what the user names, or the run's own folder. A store may be somebody else's
// work, so that one has to lie below the current folder, and is no folder of a tool's (.git, .assay).
Result<std::string> FolderForRun(const RunRecord& record, const Suite& suite, const DialectRow& dialect,
                                 const Options& options) {
  const std::string& named = options.command.results_dir;
  if (!named.empty()) return ResolveOptionPath(named, RootsOfProcess());
  const std::string stored = FolderOfRun(dialect, suite, record);
  if (const std::string problem = NameProblem(NameKind::kFolder, stored); !problem.empty())
    return Error{ErrorCode::kCorrupt, "the store is damaged: " + problem};
  const std::string folder = WithoutDots(stored);
  const std::string here = RootsOfProcess().cwd + "/";
  const bool is_below = folder.starts_with(here);
  const bool is_hidden = (is_below && HasHiddenPart(folder.substr(here.size()))) ||
                         std::any_of(suite.variants.begin(), suite.variants.end(),
                                     [](const Variant& variant) { return HasHiddenPart(variant.id); });
  if (is_below && !is_hidden) return folder;
  if (is_below) {
    return Error{ErrorCode::kRefused,
                 fmt::format("the store puts the run's files into {}, where a name begins with a dot; name "
                             "where they go with --results-dir",
                             Quoted(folder))};
  }
  return Error{ErrorCode::kRefused,
               fmt::format("the run's folder {} is not below this one; name where the files go with "
                           "--results-dir",
                           Quoted(folder))};
}

// Compares what a run would write with the files that are there, and writes nothing. Fails at the first file
// that holds something else.
class ComparingSink final : public Sink {
 public:
  explicit ComparingSink(std::string root) : root_(std::move(root)) {}
  Status Open(std::string_view path) override {
    path_ = path;
    existing_.reset();
    at_ = 0;
    ASSAY_TRY(const OutFolder::Kind kind, root_.KindOf(path_));
    if (kind == OutFolder::Kind::kNothing) return Ok();
    if (kind == OutFolder::Kind::kOther) return Differs();
    ASSAY_TRY(existing_, root_.Read(path_));
    return Ok();
  }
  Status Write(std::string_view bytes) override {
    if (!existing_) return Ok();
    if (existing_->compare(at_, bytes.size(), bytes) != 0) return Differs();
    at_ += bytes.size();
    return Ok();
  }
  Status Close() override { return existing_ && at_ != existing_->size() ? Differs() : Ok(); }

 private:
  Status Differs() const {
    return Error{
        ErrorCode::kRefused,
        fmt::format("{} is not what this run writes, and `assay report RUN` replaces nothing; remove "
                    "it, or name another folder with --results-dir",
                    Quoted(root_.PathOf(path_)))};
  }

  OutFolder root_;
  std::string path_;
  std::optional<std::string> existing_;  // absent: nothing is there
  std::size_t at_ = 0;
};

// The files of a run, made anew of what the store has. Where they go is the store's word unless the user says
// it: then nothing that is there is replaced.
Status ReportRun(const std::string& name, const Options& options, Store& store, Ui& ui) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store.BeginReading());
  ASSAY_TRY(const RunRecord record, store.FindRun(name));
  const DialectRow* dialect = FindDialect(record.dialect);
  if (dialect == nullptr || !dialect->folder) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("run {} is not a research session; use `assay show` or `assay export`",
                             record.context.run_id)};
  }
  ASSAY_TRY(const Report report, FoldStored(store, record, options));
  ASSAY_TRY(const std::string folder, FolderForRun(record, *report.suite, *dialect, options));
  const bool is_named = !options.command.results_dir.empty();
  if (!is_named) {
    ComparingSink compared(folder);
    ASSAY_CHECK_OK(dialect->writer.write(report, compared));
  }
  WrittenFiles files(folder, is_named ? Existing::kReplace : Existing::kKeep);
  ASSAY_CHECK_OK(dialect->writer.write(report, files));
  if (const std::string note = PartToldNote(report); !note.empty()) ui.Note(note);
  ui.Out(Printable(fmt::format("Report written: {}/report.md", folder)) + "\n");
  return Ok();
}

// Whose folders are read back.
const DialectRow* RebuildingDialect() {
  const std::span<const DialectRow> rows = DialectTable();
  return &*std::find_if(rows.begin(), rows.end(),
                        [](const DialectRow& row) { return row.rebuild != nullptr; });
}

// Makes the report of a session's folder again, in its own place.
ExitCode ReportSession(const std::string& named, const Options& options, Ui& ui) {
  const Result<std::string> resolved = ResolveOptionPath(named, RootsOfProcess());
  if (!resolved) return TellFailure(resolved.error(), ui);
  std::error_code problem;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(*resolved, problem);
  const std::string folder = problem ? *resolved : canonical.string();
  DiskFileReader disk;
  std::vector<std::string> roots = AllowedPaths(options.granted);
  roots.push_back(folder);
  for (const DialectOption& option : RebuildingDialect()->options) {
    const std::string path = options.granted.own.Text(option.name);
    if (!path.empty() && option.reads != OptionReads::kNothing) roots.push_back(path);
  }
  ScopedFileReader files(disk, roots);
  if (!std::filesystem::is_directory(folder, problem)) {
    return TellFailure(
        {ErrorCode::kNotFound, fmt::format("expected the folder of a session, found none at {}", folder)},
        ui);
  }
  SourceFiles sources;
  Diagnostics diagnostics;
  const DialectRow& dialect = *RebuildingDialect();
  const Result<RebuiltFiles> rebuilt = dialect.rebuild({.folder = folder,
                                                        .own = options.granted.own,
                                                        .roots = RootsOfProcess(),
                                                        .files = files,
                                                        .sources = sources,
                                                        .diagnostics = diagnostics});
  if (const std::string problems = FormatDiagnostics(diagnostics, sources); !problems.empty())
    ui.Problem(problems);
  if (diagnostics.HasErrors()) return ExitCode::kUsage;
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

}  // namespace

ExitCode ReportCommand(const Options& options, Ui& ui) {
  const std::string named =
      options.arguments.empty() ? options.command.results_dir : options.arguments.front();
  if (named.empty()) {
    ui.Problem(
        "error: assay report needs the folder of a session or a run of the store, for example: assay report "
        "temp/research_eval/runs/20261122_101500");
    return ExitCode::kUsage;
  }
  std::error_code unseen;
  const bool is_run = !options.arguments.empty() && !std::filesystem::is_directory(named, unseen) &&
                      named.find('/') == std::string::npos && MayBeThere(options.granted.store);
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
  return ReportSession(named, options, ui);
}

}  // namespace assay
