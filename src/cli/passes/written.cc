// Writing a run's files.
#include "cli/passes/written.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/file_reader.h"
#include "base/out_folder.h"
#include "cli/passes/ran.h"
#include "cli/passes/recorder.h"
#include "cli/passes/set_aside.h"
#include "cli/passes/written_files.h"
#include "corpus/limits.h"
#include "dialects/habits.h"
#include "report/export.h"
#include "report/stored_summary.h"

namespace assay {

namespace {

double MeanOf(const Report& report) {
  double sum = 0;
  std::uint64_t scored = 0;
  for (const VariantSummary& summary : report.variants) {
    sum += summary.mean * static_cast<double>(summary.scored);
    scored += summary.scored;
  }
  return scored == 0 ? std::nan("") : sum / static_cast<double>(scored);
}

// Adds the run to the dialect's list of runs, which is replaced because it was asked for.
Status AddToIndex(const DialectRow& dialect, const Report& report, WrittenFiles& files) {
  if (!dialect.index) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("--update-summaries: a {} has no list of runs", dialect.name)};
  }
  files.EnterFolder("");
  std::string index;
  ASSAY_CHECK_OK(files.Replace(dialect.index->path(*report.suite),
                               [&](std::string_view existing) -> Result<std::string> {
                                 ASSAY_TRY(index, dialect.index->add(report, existing));
                                 return index;
                               }));
  if (!dialect.index->view) return Ok();
  return files.Replace(dialect.index->view->path(*report.suite),
                       [&](std::string_view) { return dialect.index->view->text(index); });
}

// A copy of the first file with this ending where the user wants it.
Status CopyResult(const std::vector<std::string>& paths, std::string_view ending, const std::string& target) {
  if (target.empty()) return Ok();
  const auto source = std::find_if(paths.begin(), paths.end(),
                                   [&](const std::string& path) { return path.ends_with(ending); });
  if (source == paths.end())
    return Error{ErrorCode::kIo,
                 fmt::format("cannot write {}: there is no such file of results", Quoted(target))};
  ASSAY_TRY(const std::string text, DiskFileReader().Read(*source));
  const std::filesystem::path path(target);
  // A link of that name is replaced, not followed.
  return WrittenFiles(path.parent_path().string(), Existing::kRefuse)
      .Replace(path.filename().string(), [&text](std::string_view) -> Result<std::string> { return text; });
}

// The result files; what was written before a failure is still named.
Status WriteFiles(const RunWorld& world, const Planned& planned, const Report& report, const RunSpec& spec,
                  const Outputs& outputs, bool with_page, WrittenFiles& files) {
  const DialectRow& dialect = *planned.dialect;
  const bool wants_artefacts = spec.artefacts || HabitsOf(spec.compat).writes_artefacts;
  if (wants_artefacts && dialect.writer.write_artefacts != nullptr)
    ASSAY_CHECK_OK(dialect.writer.write_artefacts(report, files));
  if (dialect.folder) files.EnterFolder(report.run.run_label);
  ASSAY_CHECK_OK(dialect.writer.write(report, files));
  if (!dialect.folder) files.EnterFolder(report.run.run_id);
  if (with_page) ASSAY_CHECK_OK(ExportUnasked(report, files));
  if (outputs.update_summaries) ASSAY_CHECK_OK(AddToIndex(dialect, report, files));
  ASSAY_CHECK_OK(CopyResult(files.paths(), ".yaml", outputs.result_detail_path));
  ASSAY_CHECK_OK(CopyResult(files.paths(), ".txt", outputs.result_summary_path));
  if (outputs.record.empty()) return Ok();
  return RecordRun(world.store, report.run.run_id, outputs.record, report.run.prompts);
}

// A run is finished once its files are there; until then the same command goes on with it.
Result<RunRecord> Finish(const RunWorld& world, const Planned& planned, const Folded& folded) {
  RunRecord record = folded.record;
  const Report& report = folded.report;
  const bool has_partial = std::any_of(report.variants.begin(), report.variants.end(),
                                       [](const VariantSummary& summary) { return summary.partial > 0; });
  const bool may_lack_verdicts = has_partial || report.suite->completeness.accepts_partial;
  if (may_lack_verdicts) ASSAY_CHECK_OK(SetAsideToldNothing(world.store, *planned.plan, record));
  record.state = RunState::kFinished;
  record.finished_ms = world.clock.WallMs();
  record.mean_score = MeanOf(report);
  record.summary = EncodeSummary(report, folded.gates);
  ASSAY_CHECK_OK(world.store.UpdateRun(record));
  return record;
}

}  // namespace

Written WriteRun(const RunWorld& world, const Planned& planned, const Ran& ran, const Folded& folded,
                 const RunSpec& spec, const Outputs& outputs, bool with_page) {
  // A run's own folder holds nobody else's files.
  const Existing existing = planned.dialect->folder                ? Existing::kReplace
                            : ran.resumed                          ? Existing::kKeep
                            : planned.dialect->writer.reuses_names ? Existing::kSetAside
                                                                   : Existing::kRefuse;
  WrittenFiles files(OutRoot(*planned.dialect, planned.plan->suite(), outputs), existing);
  const Status written =
      outputs.payload ? Ok() : WriteFiles(world, planned, folded.report, spec, outputs, with_page, files);
  if (!written) return {.record = folded.record, .paths = files.paths(), .failed = written.error()};
  Result<RunRecord> finished = Finish(world, planned, folded);
  if (!finished) return {.record = folded.record, .paths = files.paths(), .failed = finished.error()};
  return {.record = *std::move(finished), .paths = files.paths(), .failed = {}};
}

std::string OutRoot(const DialectRow& dialect, const Suite& suite, const Outputs& outputs) {
  return dialect.folder ? dialect.folder->root(suite) : outputs.out;
}

Status CheckOutFolder(const std::string& folder) {
  const Result<int> made = OutFolder(folder).FolderOf("results");
  if (made && access(folder.c_str(), W_OK | X_OK) == 0) return Ok();
  return Error{ErrorCode::kIo,
               fmt::format("the output folder {} cannot be written ({}); name another with --out",
                           Quoted(folder), made ? "no permission" : made.error().message)};
}

}  // namespace assay
