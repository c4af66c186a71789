// The command `assay run`: takes every file through the passes Loaded -> Planned -> Ran -> Folded -> Written,
// and tells the user what happens between them.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/files/file_reader.h"
#include "base/text/shell_words.h"
#include "cli/commands/cluster/folding.h"
#include "cli/commands/cluster/hand_over.h"
#include "cli/commands/cluster/said_words.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/commands/parts/named_files.h"
#include "cli/commands/parts/pages.h"
#include "cli/commands/parts/said_again.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/commands/parts/trusting.h"
#include "cli/files/fetched.h"
#include "cli/files/watch.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/views/assumed_models.h"
#include "cli/terminal/views/narrator.h"
#include "cli/terminal/views/results_view.h"
#include "cli/terminal/views/run_summary.h"
#include "dialects/habits.h"
#include "engine/ci.h"
#include "engine/grants/limits.h"
#include "engine/network/network.h"
#include "engine/open/ingested.h"
#include "engine/open/loaded.h"
#include "engine/open/programs.h"
#include "engine/plan/priced_plan.h"
#include "engine/run/gate_rules.h"
#include "engine/run/left_out.h"
#include "engine/run/run_outcome.h"
#include "engine/run/store_clock.h"
#include "engine/run/unnamed_replies.h"
#include "engine/shards/shared_choice.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"
#include "engine/state/store_seal.h"
#include "engine/write/pass_rule.h"
#include "engine/write/reduced_report.h"
#include "engine/write/writer.h"
#include "engine/write/written.h"
#include "engine/write/written_files.h"
#include "providers/provider.h"
#include "report/decide/factors.h"
#include "report/export.h"
#include "report/fold/merge.h"
#include "report/values/comparisons.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "run/limits/cost/run_cost.h"
#include "run/wire/network_transport.h"
#include "spec/suite/suite.h"
#include "store/location.h"
#include "text/json/json.h"

namespace assay {

namespace {

// What the passes over the same files have in common, of which --watch makes many.
struct Passes {
  WatchedFiles& files;
  StopSignals* signals;  // null: those of the pass, once its files are read
  Ledger& ledger;
  bool& has_agreed;  // to ask models that nobody named; asked once
};

// A run whose command may be said again.
struct Kept {
  RunRecord record;
  std::vector<std::string> written;  // paths
};

// What all runs of one pass share.
struct Session {
  const Options& options;
  Ui& ui;
  FileReader& files;
  StoreClock clock;
  StopSignals& signals;
  NetworkTransport transport;
  ModelBook models;
  Ledger& ledger;
  std::unique_ptr<OwnStore> store;
  std::unique_ptr<Gatekeeper> gatekeeper;  // null: nobody asks for a gate
  List results;                            // RunValue of every run, for --json
  // Of the runs whose dialect has tables of its own; their cursors read the store and the inputs' plans.
  std::vector<Report> reports;
  std::string verdicts = {};           // of runs whose dialect says more than they do, for the end
  std::string next = {};               // what to do after a single run, on a terminal
  std::string causes = {};             // of failed requests, for the end: the last lines on the screen
  const DialectRow* tabled = nullptr;  // the dialect of `reports`
  bool one_page = false;               // the runs are of one file, so that all of them get one page
  std::unique_ptr<SharedRun> shared = nullptr;  // the seat in the run that is worked on
  std::vector<Said>* said = nullptr;  // where what the same command would say again is kept; null: nowhere
  std::optional<Kept> kept = {};

  RunWorld World() {
    return {.clock = clock,
            .signals = signals,
            .transport = transport,
            .models = models,
            .budget = BudgetOfAll(),
            .store = store->store(),
            .origin = store->origin(),
            .shared = shared.get(),
            .open_reader = [this] {
              StoreOptions reader = StoreOptionsOf(options.granted);
              reader.read_only = true;
              return OpenStore(reader);
            }};
  }

 private:
  Budget& BudgetOfAll() {
    SharedBudget* spent_together = shared ? shared->budget() : nullptr;
    if (spent_together != nullptr) return *spent_together;
    return ledger;
  }
};

ExitCode Fail(Ui& ui, const Error& error) {
  ui.Problem(FormatError(error, SourceFiles{}) + RemedyOf(error));
  return ExitCode::kUnfinished;
}

// What a server does not let this user or this assay do stays so.
ExitCode FailToOpen(Ui& ui, const Error& error, const Granted& granted, const StopSignals& signals) {
  if (signals.came()) return ExitCode::kInterrupted;
  const ExitCode code = Fail(ui, error);
  const bool is_of_key = !StoreKey().has_value();
  return IsServer(granted.store) || is_of_key ? ExitCodeOf(error.code) : code;
}

// What the run comes to, before its files are written: they are for later.
Status TellResults(Session& session, const RunInput& input, const Folded& folded, const Report& reduced) {
  const Options& options = input.options;
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, session.store->store().BeginReading());
  if (folded.no_summary) {
    session.ui.Problem(fmt::format("{}: no executive summary: {}",
                                   options.spec.require_summary ? "error" : "warning",
                                   Printable(folded.no_summary->message)));
  }
  if (options.outputs.payload) {
    ASSAY_TRY(const std::string payload, input.planned.dialect->writer.payload(folded.report));
    session.ui.Out(payload + "\n");
  } else if (!options.shown.json && !GradesNothing(reduced, options.spec)) {
    const auto& narration = input.planned.dialect->narration;
    if (narration) {
      ASSAY_TRY(const std::string block,
                narration->closing(folded.report,
                                   FolderOfRun(*input.planned.dialect, *folded.report.suite, folded.record),
                                   SpokenNames(*folded.report.suite)));
      session.ui.Out(PrintableLines(block));
    }
    if (narration && HabitsOf(options.spec.compat).only_own_words) return Ok();
    if (narration) session.ui.Out("\n");
    const PassRule pass = PassRuleOf(options.spec, input.planned.dialect->name);
    ASSAY_TRY(const std::string tables, RunTables(reduced, {.pass = pass,
                                                            .every_case = options.shown.verbose,
                                                            .pass_at_k = options.shown.pass_at_k,
                                                            .verdict_first = !narration,
                                                            .screen = options.shown.screen}));
    session.ui.Out(tables);
    if (narration) {
      ASSAY_TRY(const std::string verdict, VerdictText(reduced));
      session.verdicts += verdict;
    }
    if (input.planned.dialect->tables) session.tabled = input.planned.dialect;
  }
  // Whether standard output can be written is looked at when all is done.
  static_cast<void>(session.ui.Flush());
  return Ok();
}

struct ToldReport {
  const Report& report;  // as --reduce makes it
  bool lacks_summary = false;
};

// How it ended, and where the files are.
Result<ExitCode> TellEnd(Session& session, const RunInput& input, const ToldReport& folded,
                         const Written& written, const GateOutcome& gate, RunOutcome outcome,
                         bool is_up_to_date) {
  const Options& options = input.options;
  const bool lacks_summary = folded.lacks_summary && options.spec.require_summary;
  if (written.failed || lacks_summary) outcome.code = ExitCode::kUnfinished;
  outcome.code = Worse(outcome.code, gate.code);
  if (options.shown.json && !options.outputs.payload) {
    ASSAY_TRY(const RunCost cost, CostOfRun(session.store->store(), written.record, session.models));
    session.results.push_back(RunValue(folded.report, {.record = written.record,
                                                       .cost = cost,
                                                       .files = written.paths,
                                                       .exit = static_cast<int>(outcome.code),
                                                       .is_up_to_date = is_up_to_date}));
    const PassRule pass = PassRuleOf(options.spec, input.planned.dialect->name);
    ASSAY_TRY(Value statistics, StatisticsValue(folded.report, pass, {}, options.shown.pass_at_k));
    session.results.back().AsMap().Append("statistics", std::move(statistics));
    if (session.gatekeeper) session.results.back().AsMap().Append("gates", GatesValue(gate.gates));
  }
  if (!outcome.problems.empty()) session.ui.Problem(outcome.problems);
  if (!gate.told.empty()) session.ui.Problem(gate.told);
  for (const std::string& note : written.notes) session.ui.Problem("warning: " + Printable(note));
  if (written.failed) {
    session.ui.Problem(FormatError(*written.failed, SourceFiles{}));
    session.ui.Problem("the answers are in the store; the same command writes the files and sends nothing");
  }
  const std::string root = OutRoot(*input.planned.dialect, *folded.report.suite, options.outputs);
  NameFiles(written, {root, options.shown.verbose, is_up_to_date}, session.said, session.ui);
  if (session.ui.settings().status == StatusStyle::kLive)
    session.next = NextStepText(*folded.report.suite, written.paths, options);
  if (const std::string note = PartToldNote(folded.report); !note.empty()) session.ui.Note(note);
  return outcome.code;
}

// report.html of all runs together, in the folder of the first.
Status WriteOnePage(Session& session) {
  ASSAY_TRY(const std::unique_ptr<MergedReport> merged, MergeReports(std::move(session.reports)));
  WrittenFiles files(session.options.outputs.out, Existing::kSetAside);
  files.EnterFolder(merged->report.run.run_id);
  ASSAY_CHECK_OK(ExportUnasked(merged->report, {}, files));
  NameWritten(files.paths(), {session.options.outputs.out, session.options.shown.verbose}, session.ui);
  for (Value& run : session.results) run.AsMap().Find("files")->AsList().emplace_back(files.paths().back());
  return Ok();
}

Result<ExitCode> Stop(Session& session, const RunRecord& record) {
  ASSAY_CHECK_OK(NoteStop(session.store->store(), record, RunStop::kInterrupted));
  session.ui.Note(fmt::format("stopped; the same command continues run {}", record.context.run_id));
  return ExitCode::kInterrupted;
}

// Its documents taken in, and its cells gone through. A run that has another's cells needs no documents.
// `documents`: as a look ahead has them; nothing: nobody has read them.
Result<Ran> WorkOn(Session& session, const RunInput& input, ChosenRun chosen,
                   std::optional<DocumentsAhead> documents, const Onlooker& onlooker) {
  const auto& [options, planned] = input;
  const RunWorld world = session.World();
  const RunSpec& spec = options.spec;
  const Granted& granted = options.granted;
  Ingested ingested{.record = std::move(chosen.record), .corpus = nullptr, .warnings = {}};
  if (ingested.record.cells_of == 0) {
    if (!documents)
      documents = {.opening = OpenDocuments(planned, spec, granted, session.files, session.clock)};
    ASSAY_TRY(ingested, Ingest(world, planned, *std::move(documents), spec, granted,
                               std::move(ingested.record), onlooker));
  }
  for (const std::string& warning : ingested.warnings) session.ui.Problem("warning: " + warning);
  if (ingested.end == RunEnd::kInterrupted)
    return Ran{.record = std::move(ingested.record), .end = RunEnd::kInterrupted};
  chosen.record = std::move(ingested.record);
  ASSAY_TRY(Ran ran,
            Run(world, planned, spec, granted, std::move(chosen), std::move(ingested.corpus), onlooker));
  ran.open += ingested.open;
  return ran;
}

void TellUpToDate(const RunContext& run, Ui& ui) {
  ui.Note(
      fmt::format("up to date: run {} of {}; --fresh sends every request again", run.run_id, StartText(run)));
}

// Programs that follow a run hear of its end, too.
void TellEndAtOnce(Session& session, const RunInput& input, const RunRecord& record) {
  if (input.options.shown.progress != ProgressMode::kJson) return;
  Progress progress;
  progress.cells_total = progress.cells_done = record.cells;
  ProgressDisplay(session.ui, session.clock, ProgressMode::kJson).End(progress);
}

void TellChosen(Session& session, const RunInput& input, const ChosenRun& chosen) {
  if (chosen.resumed) session.ui.Note(fmt::format("continuing run {}", chosen.record.context.run_id));
  if (chosen.is_up_to_date) {
    TellUpToDate(chosen.record.context, session.ui);
    TellEndAtOnce(session, input, chosen.record);
  }
  if (!chosen.note.empty()) session.ui.Note(chosen.note);
  session.ui.KeepIn(session.said);
  for (const std::string& note : input.planned.recorded.notes) session.ui.Note(note);
  session.ui.KeepIn(nullptr);
}

// Of a part of a message that lies elsewhere.
bool HasAddress(const Case& one) {
  return std::any_of(one.turns.begin(), one.turns.end(), [](const Turn& turn) {
    return std::any_of(turn.media->begin(), turn.media->end(),
                       [](const MediaPart& part) { return !part.address.empty(); });
  });
}

// Whether what is said of the run is a matter of files and of the run alone.
bool MayBeSaidAgain(const RunInput& input, const Report& report, const RunRecord& record) {
  const Suite& suite = input.planned.plan->suite();
  const bool leads_elsewhere = std::any_of(suite.cases.begin(), suite.cases.end(), HasAddress);
  return MayBeSaidAgain(input.options) && record.inputs && suite.assumed_models.empty() &&
         suite.toolchains.empty() && !leads_elsewhere && report.totals.foreign_replies == 0;
}

// Where programs of the run keep files; "": they keep none.
std::string FolderOfPrograms(const RunInput& input, const RunRecord& record) {
  const Planned& planned = input.planned;
  if (planned.dialect == nullptr || !planned.dialect->folder) return {};
  const std::vector<ModelToAsk> models = ModelsOfRun(planned, input.options.spec);
  const bool has_program = std::any_of(models.begin(), models.end(), [](const ModelToAsk& model) {
    const ProviderRow* provider = FindProvider(model.provider);
    return provider != nullptr && provider->route == Route::kProgram;
  });
  return has_program ? FolderOfRun(*planned.dialect, planned.plan->suite(), record) : std::string();
}

// Takes a seat in a run that is to be worked on or folded, where others may sit too.
Status TakeSeat(Session& session, const RunInput& input, ChosenRun& chosen) {
  const ShardOptions& sharing = input.options.command.sharing;
  const Plan& plan = *input.planned.plan;
  const std::string folder = FolderOfPrograms(input, chosen.record);
  session.shared.reset();
  ASSAY_TRY(session.shared,
            SharedRun::Join(input.options.granted, sharing, session.clock, session.store->store(), plan,
                            chosen.record, sharing.shard ? folder : std::string()));
  if (sharing.shard)
    session.ui.Note(fmt::format("shard {} of run {}", *sharing.shard, chosen.record.context.run_id));
  if (sharing.shard && session.shared->begun_as() > 0 && session.shared->begun_as() != sharing.shards)
    session.ui.Note(fmt::format(
        "the run was begun for {}, and this one counts {}: all share cells and limits",
        Counted(static_cast<std::uint64_t>(session.shared->begun_as()), "shard"), sharing.shards));
  if (sharing.fold.empty()) return Ok();
  chosen.is_folded = true;
  ASSAY_CHECK_OK(MayFold(session.store->store(), chosen.record, input.options));
  if (!folder.empty()) SharedFolder(folder).RemoveMarks();
  return Ok();
}

// A shard writes no files, and of what its cells came to only the run's report speaks.
Result<ExitCode> EndShard(Session& session, const RunInput& input, const Result<Ran>& ran) {
  SharedCells& seat = session.shared->seat();
  const bool is_refused = !ran && ran.error().code == ErrorCode::kRefused;
  const bool is_displaced = is_refused || (seat.IsLost() && !seat.failure());
  if (!ran && !is_displaced) return ran.error();
  if (seat.failure()) return *seat.failure();
  // Before the seat is free: whoever waits for it to make the report looks for this word.
  const bool has_left = !is_displaced && ran->end == RunEnd::kServiceDown;
  if (!is_displaced && ran->end != RunEnd::kInterrupted)
    ASSAY_CHECK_OK(NoteStop(session.store->store(), ran->record, StopOf(ran->end)));
  session.shared.reset();
  if (is_displaced) {
    session.ui.Note("another process has taken this one's place in the run");
    return ExitCode::kDone;
  }
  if (has_left) {
    session.ui.Problem(
        fmt::format("a service was down for longer than --patience, and cells are left; the same command "
                    "continues run {}",
                    ran->record.context.run_id));
    return ExitCode::kTryAgain;
  }
  if (ran->end == RunEnd::kInterrupted) return Stop(session, ran->record);
  std::vector<std::string> words = SaidWords(input.options);
  words.push_back("--fold=" + ran->record.context.run_id);
  session.ui.Note(
      fmt::format("no cells are left for this shard; when no other works, `assay {}` makes the report",
                  Printable(LineOf(words))));
  return ExitCode::kDone;
}

// How the command ends where others do the work, or have done it; nothing: it is to go on.
Result<std::optional<ExitCode>> EndBeforeWork(Session& session, const RunInput& input, ChosenRun& chosen) {
  using End = std::optional<ExitCode>;
  const ShardOptions& sharing = input.options.command.sharing;
  const std::string run = chosen.record.context.run_id;
  Store& store = session.store->store();
  if (chosen.is_up_to_date) return sharing.shard ? End(ExitCode::kDone) : End();
  if (!sharing.cluster.empty()) {
    ASSAY_TRY(
        const ExitCode code,
        HandOver(input.options, run,
                 {.ui = session.ui, .signals = session.signals, .store = store, .results = session.results}));
    return End(code);
  }
  if (sharing.fold.empty() || !sharing.wait || chosen.record.cells == 0) return End();
  ASSAY_TRY(const bool is_done,
            WaitForShards(store, chosen.record, input.options, session.signals, session.ui));
  if (!is_done) return End(ExitCode::kInterrupted);
  ASSAY_TRY(chosen.record, store.FindRun(run));  // with what the shards have said since
  return End();
}

Result<GateOutcome> TestGates(Session& session, const RunInput& input, const Report& report,
                              bool is_up_to_date) {
  if (!session.gatekeeper) return GateOutcome();
  return session.gatekeeper->Test(report, PassRuleOf(input.options.spec, input.planned.dialect->name),
                                  is_up_to_date);
}

// Where that fails, the store keeps why.
Result<Folded> FoldNoted(Session& session, const RunInput& input, const Ran& ran, const Onlooker& onlooker) {
  const auto& [options, planned] = input;
  const bool with_page = !session.one_page && !options.outputs.payload;
  Result<Folded> folded =
      FoldRun(session.World(), planned, ran, options.spec, options.granted, onlooker, with_page);
  if (!folded) NoteError(session.store->store(), ran.record, folded.error());
  if (folded && options.gates.strict_models) {
    ASSAY_TRY(folded->report.totals.unnamed_replies,
              CountUnnamed(session.store->store(), ran.record.context.run_id));
  }
  return folded;
}

std::string PlannedCostNow(Session& session, const RunInput& input,
                           std::optional<DocumentsAhead>& documents) {
  return PlannedCostOf(input.planned, input.options.spec, input.options.granted, session.store->store(),
                       session.files, documents);
}

Result<ExitCode> Evaluate(Session& session, const RunInput& input) {
  const auto& [options, planned] = input;
  const ShardOptions& sharing = options.command.sharing;
  const RunSpec& spec = options.spec;
  const Granted& granted = options.granted;
  ASSAY_CHECK_OK(CanAllConnect(options, session.store->store()));
  std::optional<SandboxLevel> sandbox;
  if (sharing.IsShared() && !planned.toolchains.empty()) {
    ASSAY_TRY(sandbox, SandboxHere(granted.sandbox));
  }
  std::optional<DocumentsAhead> documents;
  const AskedRun asked{.spec = spec,
                       .words = RunWords(options, spec.file),
                       .fresh = granted.calls.fresh,
                       .offline = granted.calls.offline,
                       .is_shard = sharing.IsShared(),
                       .sandbox = sandbox,
                       .planned_cost = [&] { return PlannedCostNow(session, input, documents); }};
  ASSAY_TRY(ChosenRun chosen,
            ChooseSharedRun(asked, sharing, planned, granted, session.files, session.store->store(),
                            session.store->origin(), session.clock));
  TellChosen(session, input, chosen);
  ASSAY_TRY(const std::optional<ExitCode> end, EndBeforeWork(session, input, chosen));
  if (end) return *end;
  if (!chosen.is_up_to_date) ASSAY_CHECK_OK(TakeSeat(session, input, chosen));
  const RunWorld world = session.World();
  Ran ran{.record = chosen.record, .is_up_to_date = chosen.is_up_to_date};
  Onlooker onlooker;
  std::optional<Narrator> narrator;
  if (!chosen.is_up_to_date) {
    onlooker = narrator.emplace(session.ui, session.clock, input, chosen.record).AsOnlooker();
    if (sharing.shard) onlooker.on_event = nullptr;
    Result<Ran> worked = WorkOn(session, input, std::move(chosen), std::move(documents), onlooker);
    session.causes += narrator->problems();
    if (sharing.shard) return EndShard(session, input, worked);
    if (!worked) NoteError(session.store->store(), ran.record, worked.error());
    ASSAY_TRY(ran, std::move(worked));
    if (const Status rows = narrator->FinishRows(); !rows)
      session.ui.Problem(FormatError(rows.error(), SourceFiles{}));
  }
  if (ran.end == RunEnd::kInterrupted) return Stop(session, ran.record);
  if (!sharing.fold.empty()) ran.end = EndOf(ran.record.stop);  // of the shards
  if (!ran.is_up_to_date)
    ASSAY_CHECK_OK(LeaveOutLacking(session.store->store(), *planned.plan, ran.record, session.clock));
  ASSAY_TRY(Folded folded, FoldNoted(session, input, ran, onlooker));
  if (session.causes.empty() && !ran.is_up_to_date) {
    ASSAY_TRY(session.causes, CausesOf(session.store->store(), input, ran, folded.report));
  }
  session.ui.KeepIn(session.said);
  const PassRule pass = PassRuleOf(spec, planned.dialect->name);
  ASSAY_TRY(const ReducedReport reduced, ReducedAs(folded.report, options.shown.reduce, pass));
  ASSAY_TRY(RunOutcome outcome, OutcomeOf(reduced.report, spec, options.gates, pass, granted.calls.max_errors,
                                          ran.end, GivenUpModels(ran.record)));
  outcome.problems += folded.program_notes;
  ASSAY_CHECK_OK(TellResults(session, input, folded, reduced.report));
  const Result<GateOutcome> gate = TestGates(session, input, reduced.report, ran.is_up_to_date);
  if (gate) folded.gates = gate->results();
  const Written written = WriteRun(world, planned, ran, folded, spec, options.outputs, !session.one_page);
  if (written.failed) NoteError(session.store->store(), ran.record, *written.failed);
  if (!gate) return FailWith(session.ui, gate.error());
  ASSAY_TRY(const ExitCode code, TellEnd(session, input, {reduced.report, folded.no_summary.has_value()},
                                         written, *gate, std::move(outcome), ran.is_up_to_date));
  if (!written.failed && MayBeSaidAgain(input, folded.report, written.record))
    session.kept = Kept{.record = written.record, .written = written.paths};
  if (session.one_page || session.tabled == planned.dialect)
    session.reports.push_back(std::move(folded.report));
  session.shared.reset();
  return code;
}

// Whom files without models mean is told before the first call. False: the user wants something else.
Result<bool> TellAssumedModels(const Session& session, const std::vector<RunInput>& inputs,
                               bool& has_agreed) {
  bool is_told = false;
  const bool asks = !has_agreed && CanAskUser();
  for (const RunInput& input : inputs) {
    if (input.planned.plan->suite().assumed_models.empty() || session.options.granted.calls.offline) continue;
    ASSAY_TRY(const PricedPlan priced, PricePlan(input.planned, input.options.spec, input.options.granted,
                                                 &session.store->store(), session.files));
    const std::string text = AssumedModelsText(*input.planned.plan, priced);
    if (text.empty()) continue;
    const std::string line =
        inputs.size() > 1 ? fmt::format("{}: {}", Printable(input.planned.problems.path), text) : text;
    session.ui.Problem(line);  // with --quiet too: it is about money
    is_told = true;
  }
  if (!is_told || !asks) return true;
  has_agreed = UserAgrees(session.ui, "ask them all?");
  if (!has_agreed)
    session.ui.Problem("nothing was asked; name models under `models:` in the file, or with -m MODEL");
  return has_agreed;
}

// What is told of all runs together.
ExitCode EndPass(Session& session) {
  Ui& ui = session.ui;
  ExitCode code = ExitCode::kDone;
  if (session.tabled != nullptr) {
    const Result<std::string> tables = session.tabled->tables->text(session.reports);
    if (!tables) return Fail(ui, tables.error());
    // The tables of the format keep to its own way, whatever --reduce says.
    const std::string own = session.reports.empty() || session.options.shown.reduce.empty()
                                ? std::string()
                                : ValueTitleOf(*session.reports.front().suite);
    ui.Out(own.empty() ? "\n" : fmt::format("\nas the suite itself counts ({}):\n", own));
    ui.Out(PrintableLines(*tables));
  }
  if (!session.verdicts.empty()) ui.Out("\n" + session.verdicts);
  if (session.one_page && !session.reports.empty()) {
    if (const Status written = WriteOnePage(session); !written) code = Fail(ui, written.error());
  }
  if (session.options.shown.json && !session.options.outputs.payload)
    ui.Out(ShownJson(WriteJson(Value(std::move(session.results)), JsonStyle::kJavaScript2)) + "\n");
  return code;
}

// One after the other, and what is told of all together; what failed comes last.
ExitCode EvaluateAll(Session& session, const std::vector<RunInput>& inputs) {
  ExitCode code = ExitCode::kDone;
  for (const RunInput& input : inputs) {
    Result<ExitCode> one = Evaluate(session, input);
    code = Worse(code, one ? *one : Fail(session.ui, one.error()));
    if (code == ExitCode::kInterrupted) break;
  }
  code = Worse(code, EndPass(session));
  session.ui.KeepIn(nullptr);
  if (inputs.size() == 1 && session.causes.empty() && !session.next.empty()) session.ui.Note(session.next);
  if (!session.causes.empty()) session.ui.Problem(session.causes);
  return code;
}

// Not every format's tool prints a line for other programs.
void RefusePayload(RunInput& input) {
  Planned& planned = input.planned;
  if (!input.options.outputs.payload || planned.plan == nullptr) return;
  if (planned.dialect->writer.payload != nullptr) return;
  planned.problems.found.Error(
      "run.no-payload", fmt::format("--demo-stdout: a run of {} has no such line", planned.dialect->name),
      Span{}, "leave it out, or use --json");
}

// Reads and plans every file, and tells what is wrong with them; nothing if one of them cannot be run.
std::optional<std::vector<RunInput>> PlanAll(const std::vector<Options>& runs, FileReader& files, Ui& ui) {
  SourceFiles sources;
  std::vector<RunInput> inputs;
  std::set<std::string> told;
  bool has_errors = false;
  for (const Options& run : runs) {
    Loaded loaded = Load(run.spec, run.granted, files, sources);
    if (!run.command.sharing.dry_run) FetchMedia(run.granted, Fetching::kWhereAllowed, loaded);
    inputs.push_back(
        {.options = run, .planned = MakePlan(std::move(loaded), run.spec, run.granted, Purpose::kRun)});
    RefusePayload(inputs.back());
    const Problems& problems = inputs.back().planned.problems;
    if (const std::string text = ProblemsText(problems, sources, &told); !text.empty()) ui.Problem(text);
    has_errors = has_errors || problems.HasErrors();
  }
  if (!has_errors) return inputs;
  if (runs.front().command.sharing.shard) {
    ui.Problem(
        fmt::format("on {}: each shard reads the suite and its documents; put what is missing here where all "
                    "machines see it by the same name",
                    HostName()));
  }
  return std::nullopt;
}

// Whoever opens a stranger's store is told so before its answers are used.
void TellOrigin(const StoreOrigin& origin, const Options& options, Ui& ui) {
  if (!origin.IsForeign()) return;
  const std::string path = QuoteWord(Printable(ShownLocation(options.granted.store)));
  // CI refuses to take over what others made; gates say what to do there (gate_rules.cc).
  const std::string remedy =
      IsInCi() ? std::string() : fmt::format("; `assay cache adopt --store {}` takes them over", path);
  ui.Note(fmt::format("{} has answers that this user did not make{}{}; they are used and counted{}", path,
                      origin.why.empty() ? "" : ": ", Printable(origin.why), remedy));
}

// Keeps with the run what its command has said.
void KeepSaid(Session& session, const WatchedFiles& files, std::vector<Said> said, ExitCode code,
              std::int64_t read_ms) {
  if (!session.kept || code == ExitCode::kInterrupted) return;
  const RunRecord& record = session.kept->record;
  const std::string text = EncodeSaidAgain({.asked = AskedBy(session.options),
                                            .files = files.seen(),
                                            .written = session.kept->written,
                                            .said = std::move(said),
                                            .code = code},
                                           read_ms);
  if (text == record.said) return;
  // If it cannot be kept, the next command reads the suite.
  static_cast<void>(session.store->store().ChangeRun(record.context.run_id, [&text](RunRecord& now) {
    now.said = text;
    return Ok();
  }));
}

ExitCode RunPass(const std::vector<Options>& runs, Passes passes, Ui& ui) {
  const Options& options = runs.front();
  const std::int64_t read_ms = SystemClock().WallMs();
  std::vector<Said> said;
  std::vector<Said>* const keeps_said = runs.size() == 1 && MayBeSaidAgain(options) ? &said : nullptr;
  ui.KeepIn(keeps_said);
  const std::optional<std::vector<RunInput>> inputs = PlanAll(runs, passes.files, ui);
  ui.KeepIn(nullptr);
  if (!inputs) return ExitCode::kUsage;

  std::optional<StopSignals> own_signals;
  if (passes.signals == nullptr) passes.signals = &own_signals.emplace();
  Session session{
      .options = options,
      .ui = ui,
      .files = passes.files,
      .clock = {},
      .signals = *passes.signals,
      .transport = NetworkTransport(NetworkOptions(options.granted), EnvironmentOfPrograms(options.granted)),
      .models = ModelBook(options.granted.settings.models),
      .ledger = passes.ledger,
      .store = nullptr,
      .gatekeeper = nullptr,
      .results = {},
      .reports = {},
      .said = keeps_said};
  for (const RunInput& input : *inputs) {
    const Status may = MayGateBy(input.planned.recorded, options.gates, options.granted);
    if (!may) return FailWith(ui, may.error());
    if (options.outputs.payload) continue;
    const std::string out = OutRoot(*input.planned.dialect, input.planned.plan->suite(), options.outputs);
    if (const Status ready = CheckOutFolder(out); !ready) return Fail(ui, ready.error());
  }
  if (Status can = MayHandOver(options, inputs->front().planned); !can) return FailWith(ui, can.error());
  if (options.command.sharing.dry_run) return ShowHandOver(options, ui);
  Result<std::unique_ptr<OwnStore>> store = OpenForWriting(options.granted, session.clock, *passes.signals,
                                                           [&ui](std::string text) { ui.Note(text); });
  if (!store) return FailToOpen(ui, store.error(), options.granted, *passes.signals);
  session.store = std::move(*store);
  if (const Status set = session.clock.Follow(session.store->store()); !set) return Fail(ui, set.error());
  const Status may = MayGateBy(session.store->origin(), options.gates, options.granted);
  if (!may) return FailWith(ui, may.error());
  TellOrigin(session.store->origin(), options, ui);
  Result<std::unique_ptr<Gatekeeper>> gatekeeper = Gatekeeper::Open(session.store->store(), options);
  if (!gatekeeper) return FailWith(ui, gatekeeper.error());
  session.gatekeeper = *std::move(gatekeeper);
  for (const RunInput& input : *inputs) {
    if (!session.gatekeeper) break;
    if (const Status pairs = session.gatekeeper->CheckPairs(input.planned.plan->suite()); !pairs)
      return FailWith(ui, pairs.error());
  }
  const Result<bool> goes_on = TellAssumedModels(session, *inputs, passes.has_agreed);
  if (!goes_on) return Fail(ui, goes_on.error());
  if (!*goes_on) return ExitCode::kUsage;

  session.one_page = inputs->size() > 1 && !options.outputs.payload &&
                     std::all_of(inputs->begin(), inputs->end(), [&](const RunInput& input) {
                       return input.planned.problems.path == inputs->front().planned.problems.path;
                     });
  const ExitCode code = EvaluateAll(session, *inputs);
  KeepSaid(session, passes.files, std::move(said), code, read_ms);
  return code;
}

// A command that changes nothing, without reading its suite. Nothing: it has to be looked into.
std::optional<ExitCode> SayAgain(const Options& options, Ui& ui) {
  const std::string asked = AskedBy(options);
  const std::string& named = options.command.sharing.fold;
  const auto find = [&](Store& store, const RowRanges& foreign) {
    Result<std::optional<RepeatedRun>> found = FindSaidRun(store, foreign, asked);
    if (found && *found && !named.empty() && (*found)->record.context.run_id != named) found->reset();
    return found ? *std::move(found) : std::nullopt;
  };
  {
    StoreOptions reading = StoreOptionsOf(options.granted);
    reading.read_only = true;
    const Result<std::unique_ptr<Store>> store = OpenStore(reading);
    if (!store || !find(**store, {})) return std::nullopt;
  }
  StoreClock clock;
  StopSignals signals;
  const Result<std::unique_ptr<OwnStore>> store =
      OpenForWriting(options.granted, clock, signals, [&ui](std::string text) { ui.Note(text); });
  if (!store || !clock.Follow((*store)->store())) return std::nullopt;
  std::optional<RepeatedRun> repeated = find((*store)->store(), (*store)->origin().runs);
  if (!repeated) return std::nullopt;
  if (!MakeLatest((*store)->store(), repeated->record, clock.WallMs())) return std::nullopt;
  TellOrigin((*store)->origin(), options, ui);
  TellUpToDate(repeated->record.context, ui);
  for (const Said& said : repeated->again.said) ui.Say(said);
  return repeated->again.code;
}

// Until Ctrl-C. What was answered is in the store, so each pass asks only what the change asks for.
ExitCode RunAndWatch(const std::vector<Options>& runs, Ledger& ledger, Ui& ui) {
  SystemClock clock;
  StopSignals signals;
  WatchedFiles watched;
  bool has_agreed = false;
  const std::string powers = DigestOf(runs.front().granted.settings.powers);
  while (true) {
    WatchedFiles files;
    if (PowersNow(files) != powers) {
      ui.Problem("error: what needs trust in assay.toml has changed; start the run again");
      return ExitCode::kUsage;
    }
    const ExitCode code =
        RunPass(runs, {.files = files, .signals = &signals, .ledger = ledger, .has_agreed = has_agreed}, ui);
    if (!ui.Flush()) return code;
    if (code == ExitCode::kInterrupted || signals.came()) return ExitCode::kInterrupted;
    if (code == ExitCode::kUsage) files.AddMissing(watched);
    const std::string& recorded = runs.front().outputs.record;
    if (!recorded.empty()) files.Forget(recorded);
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

// The page of the run that has just ended; of several the list.
ExitCode ServeLatest(std::size_t runs, const Options& options, Ui& ui) {
  PagesAsk ask{.stores = {options.granted.store}, .runs = {}};
  if (runs == 1) {
    const Result<std::unique_ptr<Store>> store =
        OpenStore({.path = options.granted.store, .read_only = true});
    if (!store) return FailWith(ui, store.error());
    const Result<RunRecord> latest = (*store)->FindRun("latest");
    if (!latest) return FailWith(ui, latest.error());
    ask.runs = {latest->context.run_id};
  }
  return ServePages(ask, options, ui);
}

}  // namespace

ExitCode RunCommand(const Options& options, Ui& ui) {
  std::vector<Options> runs;
  for (const std::string& path : options.arguments) {
    runs.push_back(options);
    runs.back().arguments = {path};
    runs.back().spec = options.SpecOf(path);
  }
  return RunEach(std::move(runs), ui);
}

ExitCode RunEach(std::vector<Options> runs, Ui& ui) {
  ASSAY_ASSERT(!runs.empty());
  Options& options = runs.front();
  if (options.outputs.out.empty()) options.outputs.out = HabitsOf(options.spec.compat).out;
  ShardOptions& sharing = options.command.sharing;
  TakeTask(sharing);
  if (const std::string wrong = WrongSharing(sharing, options.granted, runs.size()); !wrong.empty()) {
    ui.Problem("error: " + wrong);
    return ExitCode::kUsage;
  }
  for (Options& run : runs) run.outputs.out = options.outputs.out;
  if (!MayUsePowers(runs, ui)) return ExitCode::kUsage;
  std::optional<ExitCode> code;
  if (runs.size() == 1 && MayBeSaidAgain(options)) code = SayAgain(options, ui);
  Ledger ledger(BudgetOf(options.granted.calls));
  WatchedFiles files;
  const bool is_there = std::all_of(runs.begin(), runs.end(),
                                    [&](const Options& run) { return files.Exists(run.arguments.front()); });
  if (options.command.watch && is_there && sharing.cluster.empty()) return RunAndWatch(runs, ledger, ui);
  bool has_agreed = false;
  if (!code) {
    const Passes pass{.files = files, .signals = nullptr, .ledger = ledger, .has_agreed = has_agreed};
    code = RunPass(runs, pass, ui);
  }
  if (!options.command.open || code == ExitCode::kUsage || code == ExitCode::kInterrupted) return *code;
  // What the run came to is what the command ends with, however long the pages are looked at.
  const ExitCode shown = ServeLatest(runs.size(), options, ui);
  return shown == ExitCode::kDone ? *code : shown;
}

}  // namespace assay
