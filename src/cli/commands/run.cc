// assay run: read -> check -> plan -> (one checkpoint) -> store -> execute -> fold -> write -> exit code.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/file_reader.h"
#include "base/out_folder.h"
#include "cli/commands/command.h"
#include "cli/passes/closing.h"
#include "cli/passes/loaded.h"
#include "cli/passes/priced_plan.h"
#include "cli/passes/programs.h"
#include "cli/passes/reachable.h"
#include "cli/passes/recorder.h"
#include "cli/passes/recordings.h"
#include "cli/passes/run_outcome.h"
#include "cli/passes/run_record.h"
#include "cli/passes/written_files.h"
#include "cli/settings/limits.h"
#include "cli/settings/network.h"
#include "cli/signals.h"
#include "cli/terminal/assumed_models.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/results_view.h"
#include "cli/terminal/run_summary.h"
#include "cli/watch.h"
#include "dialects/habits.h"
#include "report/aggregate.h"
#include "report/export.h"
#include "report/fold.h"
#include "report/merge.h"
#include "report/set_aside.h"
#include "run/executor/executor.h"
#include "run/wire/network_transport.h"
#include "text/json/json.h"

namespace assay {

namespace {

// One file on its way through the passes.
struct RunInput {
  Options options;
  LoadedSuite suite;
  OpenedRecordings recordings;
  Endpoints endpoints;
};

// What the passes over the same files have in common, of which --watch makes many.
struct Passes {
  FileReader& files;
  StopSignals* signals;  // null: those of the pass, once its files are read
  Ledger& ledger;
  bool& has_agreed;  // to ask models that nobody named; asked once
};

// What all runs of one pass share.
struct Session {
  const Options& options;
  Ui& ui;
  SystemClock clock;
  StopSignals& signals;
  NetworkTransport transport;
  ModelBook models;
  Ledger& ledger;
  std::unique_ptr<Store> store;
  List results;  // RunValue of every run, for --json
  // Of the runs whose dialect has tables of its own; their cursors read the store and the inputs' plans.
  std::vector<Report> reports;
  const DialectRow* tabled = nullptr;  // the dialect of `reports`
  bool one_page = false;               // the runs are of one file, so that all of them get one page
};

ExitCode Fail(Ui& ui, const Error& error) {
  ui.Problem(FormatError(error, SourceFiles{}));
  return ExitCode::kUnfinished;
}

// Whoever is to sum up the run must be there if a summary is required; else, or where a recording may hold
// it, it is only said that nobody is.
void CheckClosing(const Options& options, RunInput& input) {
  const DialectRow& dialect = *input.suite.dialect;
  if (!WantsSummary(options) || dialect.closing == nullptr) return;
  const Result<std::shared_ptr<const Plan>> plan = ClosingPlan(dialect, input.suite.plan->suite());
  if (!plan) return;  // said when it is its turn
  Diagnostics found;
  RefuseUnreachable(**plan, {}, input.endpoints, found);
  const bool is_needed = options.require_summary && input.recordings.recordings.empty();
  for (Diagnostic problem : found.All()) {
    if (!is_needed) problem.severity = Severity::kWarning;
    input.suite.diagnostics.Add(std::move(problem));
  }
}

RunInput Prepare(const std::string& path, const Options& options, FileReader& files, SourceFiles& sources) {
  RunInput input{.options = options,
                 .suite = LoadSuite(path, options, files, sources),
                 .recordings = {},
                 .endpoints = {}};
  input.recordings = OpenRecordings(options, input.suite, files, sources);
  BuildPlan(options, input.suite);
  if (input.suite.plan != nullptr && input.suite.plan->suite().variants.empty()) {
    input.suite.diagnostics.Error("suite.no-model", "the suite names no model to ask", Span{},
                                  "name one with -m, or grade recorded answers: assay grade SUITE RESPONSES");
  }
  input.endpoints = ReadEndpoints(options, input.suite.diagnostics);
  if (input.suite.plan != nullptr && !options.offline) {
    RefuseUnreachable(*input.suite.plan, input.recordings.recordings, input.endpoints,
                      input.suite.diagnostics);
    CheckClosing(options, input);
  }
  if (input.suite.plan != nullptr && !options.offline && options.budget_usd)
    RefuseUnpriced(*input.suite.plan, ModelBook(options.settings.models), input.suite.diagnostics);
  return input;
}

Status CheckOutFolder(const std::string& folder) {
  const Result<int> made = OutFolder(folder).FolderOf("results");
  if (made && access(folder.c_str(), W_OK | X_OK) == 0) return Ok();
  return Error{ErrorCode::kIo,
               fmt::format("the output folder {} cannot be written ({}); name another with --out",
                           Quoted(folder), made ? "no permission" : made.error().message)};
}

// The suite must outlive the function.
CellFails CellFailsIn(const Suite& suite) {
  return [&suite](CaseIndex case_index, const AttemptRecord& record) {
    const Result<CellScore> score = Aggregate(suite, suite.cases[case_index], record);
    return !score || score->state == CellState::kError || score->state == CellState::kPartial;
  };
}

// Executes the suite's plan, or a closing one behind its cells.
Result<RunEnd> Execute(Session& session, const RunInput& input, const Plan& plan, RunRecord& record,
                       CellIndex first_cell = 0) {
  const Options& options = session.options;
  const Router router(input.recordings.recordings, BaseUrlsOf(input.endpoints),
                      ModelBook(options.settings.models));
  ProgressDisplay display(session.ui, session.clock, options.progress);
  ExecutorOptions executor_options{
      .workers = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))),
      .first_cell = first_cell,
      .offline = options.offline,
      .keeps_think_tags = HabitsOf(options.compat).keeps_think_tags,
      .retry = {},
      .limits = RunLimitsOf(options)};
  if (options.max_retries) {
    executor_options.retry.max_retries = *options.max_retries;
    executor_options.retry.is_chosen = true;
  }
  if (options.batch && !options.offline) {
    BatchOptions& batches = executor_options.batches.emplace();
    if (options.batch_wait_s) batches.wait_max = Milliseconds(*options.batch_wait_s);
    ASSAY_TRY(batches.open, OpenBatches(*session.store, {.first = record.first_epoch, .last = record.epoch},
                                        session.clock.WallMs()));
  }
  LazyLauncher launcher(options.sandbox, input.suite.toolchains);
  Executor executor(plan, record,
                    {.clock = session.clock,
                     .store = *session.store,
                     .transport = session.transport,
                     .launcher = &launcher,
                     .router = router,
                     .endpoints = &input.endpoints,
                     .models = &session.models,
                     .ledger = session.ledger.budget().IsSet() ? &session.ledger : nullptr,
                     .cell_fails = CellFailsIn(plan.suite()),
                     .on_progress = [&](const Progress& progress) { display.Update(progress); }},
                    executor_options);
  session.signals.Watch([&executor] { executor.RequestStop(); });
  Result<RunEnd> end = executor.Run();
  session.signals.EndWatch();
  display.End(executor.progress());
  if (const std::optional<SandboxLevel> level = launcher.level())
    session.ui.Note(fmt::format("programs ran in the sandbox at level {}", SandboxLevelName(*level)));
  record.requests_sent += executor.progress().sent;
  if (const std::string problems = ProblemsOfRun(executor, RunWords(options, input.suite.path));
      !problems.empty())
    session.ui.Problem(problems);
  if (const std::string notes = NotesOfRun(executor); !notes.empty()) session.ui.Note(notes);
  return end;
}

// Lets a model sum up the run, and adds what it says to the report.
Status AddClosing(Session& session, const RunInput& input, RunRecord& record, Report& report) {
  const DialectRow& dialect = *input.suite.dialect;
  if (dialect.closing == nullptr) {
    return Error{ErrorCode::kUnsupported, fmt::format("nobody sums up a {}", dialect.name)};
  }
  ASSAY_TRY(Suite suite, dialect.closing(report));
  Diagnostics diagnostics;
  const std::shared_ptr<const Plan> plan = Plan::Build(std::move(suite), {}, diagnostics);
  ASSAY_ASSERT(plan != nullptr);
  const CellIndex cell = input.suite.plan->CellCount();
  ASSAY_TRY(const RunEnd end, Execute(session, input, *plan, record, cell));
  if (end == RunEnd::kInterrupted) return Error{ErrorCode::kCancelled, "stopped"};
  ASSAY_TRY(const std::string reply, ClosingReply(*session.store, record.context.run_id, cell));
  dialect.add_closing(reply, report);
  return Ok();
}

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
  if (dialect.index_path == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("--update-summaries: a {} has no list of runs", dialect.name)};
  }
  files.EnterFolder("");
  std::string index;
  ASSAY_CHECK_OK(
      files.Replace(dialect.index_path(*report.suite), [&](std::string_view existing) -> Result<std::string> {
        ASSAY_TRY(index, dialect.add_to_index(report, existing));
        return index;
      }));
  if (dialect.index_view == nullptr) return Ok();
  return files.Replace(dialect.index_view_path(*report.suite),
                       [&](std::string_view) { return dialect.index_view(index); });
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
Status WriteFiles(const Session& session, const RunInput& input, const Report& report, WrittenFiles& files) {
  ASSAY_CHECK_OK(input.suite.dialect->write(report, files));
  files.EnterFolder(report.run.run_id);
  if (!session.one_page) ASSAY_CHECK_OK(ExportHtml(report, files));
  if (session.options.update_summaries) ASSAY_CHECK_OK(AddToIndex(*input.suite.dialect, report, files));
  ASSAY_CHECK_OK(CopyResult(files.paths(), ".yaml", session.options.result_detail_path));
  ASSAY_CHECK_OK(CopyResult(files.paths(), ".txt", session.options.result_summary_path));
  if (session.options.record.empty()) return Ok();
  const CellIndex with_closing = input.suite.plan->CellCount() + 1;
  return RecordRun(*session.store, report.run.run_id, with_closing, session.options.record);
}

// The last files are the ones to open: the suite's own summary, then the page for people.
void NameFiles(const Session& session, const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 2;
  const std::size_t unnamed = session.options.verbose || paths.size() <= kNamed ? 0 : paths.size() - kNamed;
  if (unnamed > 0)
    session.ui.Note(
        fmt::format("wrote {} below {}", Counted(unnamed, "file"), Printable(session.options.out)));
  for (std::size_t i = unnamed; i < paths.size(); ++i)
    session.ui.Note(fmt::format("wrote {}", Printable(paths[i])));
}

// A run is finished once its files are there; until then the same command goes on with it.
Status Finish(Session& session, const Plan& plan, const Report& report, RunRecord& record) {
  const bool has_partial = std::any_of(report.variants.begin(), report.variants.end(),
                                       [](const VariantSummary& summary) { return summary.partial > 0; });
  const bool may_lack_verdicts = has_partial || report.suite->completeness.accepts_partial;
  if (may_lack_verdicts) ASSAY_CHECK_OK(SetAsideToldNothing(*session.store, plan, record));
  record.state = RunState::kFinished;
  record.finished_ms = session.clock.WallMs();
  record.mean_score = MeanOf(report);
  return session.store->UpdateRun(record);
}

Result<ExitCode> Conclude(Session& session, const RunInput& input, ChosenRun& run, RunEnd end) {
  const Options& options = session.options;
  ASSAY_TRY(Report report, Fold(*session.store, *input.suite.plan, run.record));
  const Status closed = WantsSummary(options) ? AddClosing(session, input, run.record, report) : Ok();
  if (!closed) {
    session.ui.Problem(fmt::format("{}: no executive summary: {}",
                                   options.require_summary ? "error" : "warning",
                                   Printable(closed.error().message)));
  }
  if (input.suite.dialect->add_values != nullptr) ASSAY_CHECK_OK(input.suite.dialect->add_values(report));
  WrittenFiles files(options.out, run.resumed                         ? Existing::kKeep
                                  : input.suite.dialect->reuses_names ? Existing::kSetAside
                                                                      : Existing::kRefuse);
  Status written = options.demo_stdout ? Ok() : WriteFiles(session, input, report, files);
  if (written) written = Finish(session, *input.suite.plan, report, run.record);
  ASSAY_TRY(const std::string tables,
            RunTables(report, {.pass_at = options.pass_at, .every_case = options.verbose}));
  ASSAY_TRY(const RunOutcome outcome, OutcomeOf(report, options, end));
  ExitCode code = outcome.code;
  if (!written || (!closed && options.require_summary)) code = ExitCode::kUnfinished;
  if (options.demo_stdout) {
    ASSAY_TRY(const std::string payload, input.suite.dialect->payload(report));
    session.ui.Out(payload + "\n");
  } else if (options.json) {
    session.results.push_back(RunValue(report, {.record = run.record, .files = files.paths(), .exit = code}));
  } else {
    session.ui.Out(tables);
    if (input.suite.dialect->tables != nullptr) session.tabled = input.suite.dialect;
  }
  if (!outcome.problems.empty()) session.ui.Problem(outcome.problems);
  if (!written) {
    session.ui.Problem(FormatError(written.error(), SourceFiles{}));
    session.ui.Problem(
        "the answers are in the store; the same command goes on with the files and asks nothing");
  }
  NameFiles(session, files.paths());
  if (session.one_page || session.tabled == input.suite.dialect) session.reports.push_back(std::move(report));
  return code;
}

// report.html of all runs together, in the folder of the first.
Status WriteOnePage(Session& session) {
  ASSAY_TRY(const std::unique_ptr<MergedReport> merged, MergeReports(std::move(session.reports)));
  WrittenFiles files(session.options.out, Existing::kSetAside);
  files.EnterFolder(merged->report.run.run_id);
  ASSAY_CHECK_OK(ExportHtml(merged->report, files));
  NameFiles(session, files.paths());
  for (Value& run : session.results) run.AsMap().Find("files")->AsList().emplace_back(files.paths().back());
  return Ok();
}

Result<ExitCode> Evaluate(Session& session, const RunInput& input) {
  ASSAY_TRY(ChosenRun run, ChooseRun(input.options, input.suite, *session.store, session.clock));
  if (run.resumed) session.ui.Note(fmt::format("going on with run {}", run.record.context.run_id));
  for (const std::string& note : input.recordings.notes) session.ui.Note(note);
  ASSAY_TRY(const RunEnd end, Execute(session, input, *input.suite.plan, run.record));
  if (end != RunEnd::kInterrupted) return Conclude(session, input, run, end);
  ASSAY_CHECK_OK(session.store->UpdateRun(run.record));
  session.ui.Note(fmt::format("stopped; the same command goes on with run {}", run.record.context.run_id));
  return ExitCode::kInterrupted;
}

// Whom files without models mean is told before the first call. False: the user wants something else.
Result<bool> TellAssumedModels(const Session& session, const std::vector<RunInput>& inputs,
                               bool& has_agreed) {
  bool is_told = false;
  const bool asks = !has_agreed && CanAskUser();
  for (const RunInput& input : inputs) {
    if (input.suite.plan->suite().assumed_models.empty() || session.options.offline) continue;
    ASSAY_TRY(const PricedPlan priced,
              PricePlan(input.suite, input.recordings, input.options, input.endpoints, session.store.get()));
    const std::string text = AssumedModelsText(input.suite.plan->suite(), priced);
    if (text.empty()) continue;
    const std::string line =
        inputs.size() > 1 ? fmt::format("{}: {}", Printable(input.suite.path), text) : text;
    asks ? session.ui.Problem(line) : session.ui.Note(line);
    is_told = true;
  }
  if (!is_told || !asks) return true;
  has_agreed = UserAgrees(session.ui);
  if (!has_agreed)
    session.ui.Problem("nothing was asked; name models under `models:` in the file, or with -m MODEL");
  return has_agreed;
}

// What is told of all runs together.
ExitCode EndPass(Session& session) {
  Ui& ui = session.ui;
  ExitCode code = ExitCode::kDone;
  if (session.tabled != nullptr) {
    const Result<std::string> tables = session.tabled->tables(session.reports);
    if (!tables) return Fail(ui, tables.error());
    ui.Out("\n" + PrintableLines(*tables));
  }
  if (session.one_page && !session.reports.empty()) {
    if (const Status written = WriteOnePage(session); !written) code = Fail(ui, written.error());
  }
  if (session.options.json && !session.options.demo_stdout)
    ui.Out(WriteJson(Value(std::move(session.results)), JsonStyle::kJavaScript2) + "\n");
  return code;
}

ExitCode RunPass(std::vector<Options>& runs, Passes passes, Ui& ui) {
  Options& options = runs.front();
  SourceFiles sources;
  std::vector<RunInput> inputs;
  std::set<std::string> told;
  bool has_errors = false;
  for (Options& run : runs) {
    run.out = options.out;
    inputs.push_back(Prepare(run.arguments.front(), run, passes.files, sources));
    if (const std::string problems = ProblemsOf(inputs.back().suite, sources, &told); !problems.empty()) {
      ui.Problem(problems);
    }
    has_errors = has_errors || inputs.back().suite.HasErrors();
  }
  if (has_errors) return ExitCode::kUsage;

  std::optional<StopSignals> own_signals;
  if (passes.signals == nullptr) passes.signals = &own_signals.emplace();
  Session session{.options = options,
                  .ui = ui,
                  .clock = {},
                  .signals = *passes.signals,
                  .transport = NetworkTransport(NetworkOptions(options), EnvironmentOfPrograms(options)),
                  .models = ModelBook(options.settings.models),
                  .ledger = passes.ledger,
                  .store = nullptr,
                  .results = {},
                  .reports = {}};
  if (!options.demo_stdout) {
    if (const Status ready = CheckOutFolder(options.out); !ready) return Fail(ui, ready.error());
  }
  Result<std::unique_ptr<Store>> store = OpenSqliteStore({.path = options.store});
  if (!store) return Fail(ui, store.error());
  session.store = std::move(*store);
  const Result<bool> goes_on = TellAssumedModels(session, inputs, passes.has_agreed);
  if (!goes_on) return Fail(ui, goes_on.error());
  if (!*goes_on) return ExitCode::kUsage;

  session.one_page = inputs.size() > 1 && !options.demo_stdout &&
                     std::all_of(inputs.begin(), inputs.end(), [&](const RunInput& input) {
                       return input.suite.path == inputs.front().suite.path;
                     });
  ExitCode code = ExitCode::kDone;
  for (const RunInput& input : inputs) {
    Result<ExitCode> one = Evaluate(session, input);
    code = Worse(code, one ? *one : Fail(ui, one.error()));
    if (code == ExitCode::kInterrupted) break;
  }
  return Worse(code, EndPass(session));
}

// Until Ctrl-C. What was answered is in the store, so each pass asks only what the change asks for.
ExitCode RunAndWatch(std::vector<Options>& runs, Ledger& ledger, Ui& ui) {
  SystemClock clock;
  StopSignals signals;
  WatchedFiles watched;
  bool has_agreed = false;
  while (true) {
    WatchedFiles files;
    const ExitCode code =
        RunPass(runs, {.files = files, .signals = &signals, .ledger = ledger, .has_agreed = has_agreed}, ui);
    if (!ui.Flush()) return code;
    if (code == ExitCode::kInterrupted || signals.came()) return ExitCode::kInterrupted;
    if (code == ExitCode::kUsage) files.AddMissing(watched);
    if (!runs.front().record.empty()) files.Forget(runs.front().record);
    watched = std::move(files);
    const std::size_t count = watched.CountExisting();
    ui.Note(fmt::format("watching {}; Ctrl-C ends", Counted(count, "file")));
    BoundedQueue<bool> stop(1);
    signals.Watch([&stop] { stop.PushUnbounded(true); });
    const std::optional<std::string> changed = WaitForChange(watched, clock, stop);
    signals.EndWatch();
    if (!changed || signals.came()) return ExitCode::kInterrupted;
    ui.Note(fmt::format("{} has changed", Printable(*changed)));
  }
}

}  // namespace

ExitCode RunCommand(const Options& options, Ui& ui) {
  std::vector<Options> runs;
  for (const std::string& path : options.arguments) {
    runs.push_back(options);
    runs.back().arguments = {path};
  }
  return RunEach(std::move(runs), ui);
}

ExitCode RunEach(std::vector<Options> runs, Ui& ui) {
  ASSAY_ASSERT(!runs.empty());
  Options& options = runs.front();
  if (options.out.empty()) options.out = HabitsOf(options.compat).out;
  Ledger ledger(BudgetOf(options));
  DiskFileReader files;
  const bool is_there = std::all_of(runs.begin(), runs.end(),
                                    [&](const Options& run) { return files.Exists(run.arguments.front()); });
  if (options.watch && is_there) return RunAndWatch(runs, ledger, ui);
  bool has_agreed = false;
  return RunPass(runs, {.files = files, .signals = nullptr, .ledger = ledger, .has_agreed = has_agreed}, ui);
}

}  // namespace assay
