// Writes the files of the dialect, the page and what the user asked for besides, and finishes the run's row.
#include "engine/write/written.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/files/file_reader.h"
#include "base/files/out_folder.h"
#include "corpus/limits.h"
#include "dialects/habits.h"
#include "engine/choose/run_folder.h"
#include "engine/run/note_ending.h"
#include "engine/run/ran.h"
#include "engine/run/recorder.h"
#include "engine/run/row_stream.h"
#include "engine/write/page_beside.h"
#include "engine/write/pass_rule.h"
#include "engine/write/unvoted.h"
#include "engine/write/written_files.h"
#include "plan/plan.h"
#include "report/export.h"
#include "report/fold/stored_summary.h"
#include "report/fold/stored_tables.h"
#include "report/values/runs.h"
#include "run/limits/cost/run_cost.h"
#include "spec/suite/case.h"
#include "spec/suite/suite.h"
#include "store/run_walks.h"
#include "store/store.h"

namespace assay {

namespace {

// What keeps a run from being whole: "--limit 2", "stopped: budget"; "": nothing.
std::string CutOf(const RunSpec& spec, const RunRecord& ended) {
  const std::string_view stop = StopName(ended, false);
  return stop.empty() ? ChoiceOf(spec) : fmt::format("stopped: {}", stop);
}

// What the user wants beside the result files, of which run, and what is said of it.
struct Wanted {
  const Outputs& outputs;
  std::string cut;                  // of the run
  std::vector<std::string>& notes;  // of what was not done
  const ExportAsk& ask;             // of exports
};

// Adds the run to the dialect's list of runs, which is replaced because it was asked for.
Status AddToIndex(const DialectRow& dialect, const Report& report, const Wanted& wanted,
                  WrittenFiles& files) {
  if (!dialect.index) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("--update-summaries: a {} has no list of runs", dialect.name)};
  }
  if (!wanted.cut.empty() && !dialect.index->takes_parts) {
    wanted.notes.push_back(fmt::format("not added to {}, which is of whole runs: {}",
                                       dialect.index->path(*report.suite), wanted.cut));
    return Ok();
  }
  files.EnterFolder("");
  std::string index;
  ASSAY_CHECK_OK(files.Replace(dialect.index->path(*report.suite),
                               [&](std::string_view existing) -> Result<std::string> {
                                 ASSAY_TRY(index, dialect.index->add(report, existing, wanted.notes));
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

// The files of --export.
Status WriteExports(Store& store, const Report& report, const Wanted& wanted,
                    std::vector<std::string>& paths) {
  if (wanted.outputs.exports.empty()) return Ok();
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store.BeginReading());
  for (const ExportFile& file : wanted.outputs.exports) {
    const std::filesystem::path path(file.path);
    WrittenFiles files(path.has_parent_path() ? path.parent_path().string() : ".", Existing::kReplace);
    ASSAY_CHECK_OK(Export(*FindExport(file.format), report, wanted.ask, path.filename().string(), files));
    paths.push_back(file.path);
  }
  return Ok();
}

// As long as it lives.
class ReadingInPassing {
 public:
  explicit ReadingInPassing(Store& store) : store_(store) { store_.ReadInPassing(true); }
  ReadingInPassing(const ReadingInPassing&) = delete;
  ReadingInPassing& operator=(const ReadingInPassing&) = delete;
  ~ReadingInPassing() { store_.ReadInPassing(false); }

 private:
  Store& store_;
};

// The run as it stands on its page: as it will be once its files are there.
RunRecord RecordOnPage(const RunWorld& world, const Ran& ran, const Folded& folded, const RunCost& cost) {
  RunRecord record = folded.record;
  record.ending = StoredEnding(ran.ending);
  record.state = RunState::kFinished;
  record.finished_ms = world.clock.WallMs();
  record.mean_score = MeanOf(folded.report);
  record.summary = EncodeSummary(folded.report, folded.gates);
  record.cost = cost;
  return record;
}

// The result files; what was written before a failure is still named. `page`: null: none is written;
// `beside`: who makes it meanwhile, null: nobody.
Status WriteResults(Store& store, const DialectRow& dialect, const Report& report, const RunSpec& spec,
                    const ExportAsk* page, PageBeside* beside, WrittenFiles& files) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store.BeginReading());
  const bool wants_artefacts = spec.artefacts || HabitsOf(spec.compat).writes_artefacts;
  if (wants_artefacts && dialect.writer.write_artefacts != nullptr)
    ASSAY_CHECK_OK(dialect.writer.write_artefacts(report, files));
  if (dialect.folder) files.EnterFolder(report.run.run_label);
  if (dialect.writer.write != nullptr) ASSAY_CHECK_OK(dialect.writer.write(report, files));
  if (!dialect.folder) files.EnterFolder(report.run.run_id);
  if (const ExportRow* row = FindExport(dialect.writer.exporter))
    ASSAY_CHECK_OK(Export(*row, report, {.pass = PassRuleOf(spec, dialect.name)}, row->file, files));
  if (beside != nullptr && beside->IsMade()) return beside->WriteTo(files);
  return page != nullptr ? ExportUnasked(report, *page, files) : Ok();
}

ExportAsk PageAskOf(const DialectRow& dialect, const RunSpec& spec, const Folded& folded,
                    const RunRecord& record) {
  return {.pass = PassRuleOf(spec, dialect.name),
          .variant = {},
          .gates = folded.gates,
          .record = &record,
          .map = folded.map ? &*folded.map : nullptr};
}

// What the user wants beside them.
Status WriteWanted(const RunWorld& world, const DialectRow& dialect, const Report& report,
                   const Wanted& wanted, const std::vector<std::string>& results, WrittenFiles& files,
                   std::vector<std::string>& exported) {
  const Outputs& outputs = wanted.outputs;
  ASSAY_CHECK_OK(WriteExports(world.store, report, wanted, exported));
  if (outputs.update_summaries) ASSAY_CHECK_OK(AddToIndex(dialect, report, wanted, files));
  ASSAY_CHECK_OK(CopyResult(results, ".yaml", outputs.result_detail_path));
  ASSAY_CHECK_OK(CopyResult(results, ".txt", outputs.result_summary_path));
  if (outputs.record.empty()) return Ok();
  return RecordRun(world.store, report.run.run_id, outputs.record, report.run.prompts);
}

// Whether the same command would ask for something again.
bool AsksAgain(const Ran& ran, const Folded& folded) {
  const Report& report = folded.report;
  const bool lacks_cells = std::any_of(report.variants.begin(), report.variants.end(),
                                       [](const VariantSummary& summary) { return summary.skipped > 0; });
  // Of cells that an earlier sitting finished only their errors are known.
  const bool has_old_errors = ran.resumed && report.totals.request_errors > 0;
  return ran.open > 0 || (lacks_cells && ran.ending != RunEnding::kDecided) || has_old_errors ||
         folded.no_summary;
}

// So many names are kept with a run; where there are more, they are looked for by making them.
constexpr std::size_t kNamesMax = 1'000;

std::vector<std::string> NamesOf(const WrittenFiles& files) {
  return files.names().size() <= kNamesMax ? files.names() : std::vector<std::string>();
}

// A run is finished once its files are there; until then the same command continues it.
Result<RunRecord> Finish(const RunWorld& world, const Planned& planned, const Ran& ran, const Folded& folded,
                         const RunCost& cost, std::span<const std::string> names) {
  RunRecord record = folded.record;
  const Report& report = folded.report;
  const bool has_partial = std::any_of(report.variants.begin(), report.variants.end(),
                                       [](const VariantSummary& summary) { return summary.partial > 0; });
  const bool may_lack_verdicts = has_partial || report.suite->completeness.accepts_partial;
  CellIndex lacking = 0;
  if (may_lack_verdicts) {
    ASSAY_TRY(lacking, SetAsideUnvoted(world.store, *planned.plan, record));
  }
  record.inputs = lacking > 0 || AsksAgain(ran, folded) ? std::nullopt : std::optional(ran.inputs);
  record.state = RunState::kFinished;
  record.finished_ms = world.clock.WallMs();
  record.mean_score = MeanOf(report);
  record.summary = EncodeSummary(report, folded.gates, names);
  record.tables = EncodeTables(report);
  record.cost = cost;
  record.ending = StoredEnding(ran.ending);
  return world.store.ChangeRun(record.context.run_id, [&record](RunRecord& now) {
    const std::vector<std::string> given_up = GivenUpModels(now);
    now = record;
    AddGivenUp(given_up, now);
    return Ok();
  });
}

bool AreThere(const std::string& root, const std::vector<std::string>& names) {
  OutFolder folder(root);
  return std::all_of(names.begin(), names.end(), [&folder](const std::string& name) {
    const Result<OutFolder::Kind> kind = folder.KindOf(name);
    return kind && *kind == OutFolder::Kind::kFile;
  });
}

// The growing files of a run, from the store.
Status WriteRows(const RunWorld& world, const Planned& planned, const RunRecord& record) {
  const DialectRow& dialect = *planned.dialect;
  const Suite& suite = planned.plan->suite();
  const std::string folder = FolderOfRun(dialect, suite, record);
  std::vector<std::string> names;
  for (VariantIndex i = 0; i < suite.variants.size(); ++i) names.push_back(dialect.rows->path(suite, i));
  if (AreThere(folder, names)) return Ok();
  RowStream rows(*dialect.rows, suite, folder);
  const std::vector<bool> all(planned.plan->CellCount(), true);
  ASSAY_CHECK_OK(TellFinished(world.store, planned.plan, record, all,
                              [&rows](const RunEvent& event) { rows.On(event); }));
  return rows.Finish();
}

// Those that are missing, of all that were written once. Where names do not tell runs apart, a file may be
// another run's: all are made, and equal ones stay.
Status WriteMissing(const RunWorld& world, const Planned& planned, const Folded& folded, const RunSpec& spec,
                    const Outputs& outputs, bool with_page, Written& done) {
  std::vector<std::string>& paths = done.paths;
  const DialectRow& dialect = *planned.dialect;
  const std::string root = OutRoot(dialect, planned.plan->suite(), outputs);
  std::vector<std::string> names = FilesOfSummary(folded.record.summary);
  const bool has_page = std::any_of(names.begin(), names.end(),
                                    [](const std::string& name) { return name.ends_with("report.html"); });
  if (dialect.rows) ASSAY_CHECK_OK(WriteRows(world, planned, folded.record));
  const bool is_known = !names.empty() && (has_page || !with_page) && !dialect.writer.reuses_names;
  WrittenFiles files(root, dialect.writer.reuses_names ? Existing::kSetAside : Existing::kKeep);
  if (is_known && AreThere(root, names)) {
    for (const std::string& name : names) paths.push_back(OutFolder(root).PathOf(name));
    done.found = paths.size();
  } else {
    const ExportAsk page = PageAskOf(dialect, spec, folded, folded.record);
    const Status written =
        WriteResults(world.store, dialect, folded.report, spec, with_page ? &page : nullptr, nullptr, files);
    paths = files.paths();
    ASSAY_CHECK_OK(written);
    names = NamesOf(files);
  }
  WrittenFiles wanted(root, Existing::kReplace);
  const std::vector<std::string> results = paths;
  const ExportAsk ask = PageAskOf(dialect, spec, folded, folded.record);
  const Wanted asked{.outputs = outputs, .cut = CutOf(spec, folded.record), .notes = done.notes, .ask = ask};
  ASSAY_CHECK_OK(WriteWanted(world, dialect, folded.report, asked, results, wanted, done.exported));
  paths.insert(paths.end(), wanted.paths().begin(), wanted.paths().end());
  const bool tells_more = !folded.gates.empty() || folded.report.totals.unnamed_replies;
  if (!tells_more && is_known) return Ok();
  const auto changed = world.store.ChangeRun(folded.record.context.run_id, [&](RunRecord& now) {
    const std::vector<GateResult> gates = folded.gates.empty() ? GatesOfSummary(now.summary) : folded.gates;
    now.summary = EncodeSummary(folded.report, gates, names);
    return Ok();
  });
  if (!changed) return changed.error();
  return Ok();
}

Written WriteAgain(const RunWorld& world, const Planned& planned, const Folded& folded, const RunSpec& spec,
                   const Outputs& outputs, bool with_page) {
  Written written{.record = folded.record, .paths = {}, .failed = {}};
  if (outputs.payload) return written;
  const Status done = WriteMissing(world, planned, folded, spec, outputs, with_page, written);
  if (!done) written.failed = done.error();
  return written;
}

}  // namespace

Written WriteRun(const RunWorld& world, const Planned& planned, const Ran& ran, const Folded& folded,
                 const RunSpec& spec, const Outputs& outputs, bool with_page) {
  if (ran.is_up_to_date) return WriteAgain(world, planned, folded, spec, outputs, with_page);
  // A run's own folder holds nobody else's files.
  const Existing existing = planned.dialect->folder || ran.asks_rest ? Existing::kReplace
                            : ran.resumed                            ? Existing::kKeep
                            : planned.dialect->writer.reuses_names   ? Existing::kSetAside
                                                                     : Existing::kRefuse;
  WrittenFiles files(OutRoot(*planned.dialect, planned.plan->suite(), outputs), existing);
  std::vector<std::string> names;
  std::vector<std::string> notes;
  std::vector<std::string> exported;
  Status written = Ok();
  const Result<RunCost> cost = CostOfRun(world.store, folded.record, world.models);
  if (!cost) return {.record = folded.record, .paths = {}, .failed = cost.error()};
  if (!outputs.payload) {
    const ReadingInPassing in_passing(world.store);
    const RunRecord record = RecordOnPage(world, ran, folded, *cost);
    const ExportAsk page = PageAskOf(*planned.dialect, spec, folded, record);
    const std::unique_ptr<PageBeside> beside =
        with_page ? PageBeside::Begin(world, ran, folded.report, page) : nullptr;
    written = WriteResults(world.store, *planned.dialect, folded.report, spec, with_page ? &page : nullptr,
                           beside.get(), files);
    names = NamesOf(files);
    const Wanted wanted{.outputs = outputs, .cut = CutOf(spec, record), .notes = notes, .ask = page};
    if (written)
      written = WriteWanted(world, *planned.dialect, folded.report, wanted, files.paths(), files, exported);
  }
  if (!written) return {.record = folded.record, .paths = files.paths(), .failed = written.error()};
  Result<RunRecord> finished = Finish(world, planned, ran, folded, *cost, names);
  if (!finished) return {.record = folded.record, .paths = files.paths(), .failed = finished.error()};
  return {.record = *std::move(finished),
          .paths = files.paths(),
          .exported = std::move(exported),
          .failed = {},
          .notes = std::move(notes)};
}

std::string OutRoot(const DialectRow& dialect, const Suite& suite, const Outputs& outputs) {
  return dialect.folder ? dialect.folder->root(suite) : outputs.out;
}

Status MayExport(const Outputs& outputs, const Suite& suite) {
  for (const ExportFile& file : outputs.exports) {
    if (!FindExport(file.format)->of_one_variant || suite.variants.size() < 2) continue;
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("--export {0}: such a file holds one variant, and the run has {1}; `assay export "
                    "latest#VARIANT --to {0}` writes one",
                    file.format, suite.variants.size())};
  }
  return Ok();
}

Status CheckOutFolder(const std::string& folder) {
  const Result<int> made = OutFolder(folder).FolderOf("results");
  if (made && access(folder.c_str(), W_OK | X_OK) == 0) return Ok();
  return Error{ErrorCode::kIo,
               fmt::format("the output folder {} cannot be written ({}); name another with --out",
                           Quoted(folder), made ? "no permission" : made.error().message)};
}

}  // namespace assay
