// Takes one file through the passes Planned -> Chosen -> Ran -> Folded -> Written.
#include "cli/commands/run/one_run.h"

#include <fmt/core.h>

#include "base/text/shell_words.h"
#include "cli/commands/cluster/hand_over.h"
#include "cli/commands/parts/cached_output.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/commands/run/repeated.h"
#include "cli/commands/run/seats.h"
#include "cli/commands/run/shown.h"
#include "cli/terminal/views/narrator.h"
#include "cli/terminal/views/run_summary.h"
#include "engine/choose/choose_run.h"
#include "engine/open/ingested.h"
#include "engine/open/programs.h"
#include "engine/plan/priced_plan.h"
#include "engine/plan/run_inputs.h"
#include "engine/run/left_out.h"
#include "engine/run/note_ending.h"
#include "engine/run/run_outcome.h"
#include "engine/run/run_requests.h"
#include "engine/write/pass_rule.h"
#include "engine/write/reduced_report.h"
#include "engine/write/written.h"
#include "report/fold/stored_summary.h"
#include "report/values/runs.h"

namespace assay {

namespace {

// `documents`: read ahead here where the run's price depends on them.
Result<ChosenRun> Choose(RunMeans& means, FileReader& files, const RunInput& input,
                         std::optional<DocumentsAhead>& documents) {
  const Options& options = input.options;
  const Planned& planned = input.planned;
  const ShardOptions& sharing = options.command.sharing;
  const Granted& granted = options.granted;
  Store& store = means.store->store();
  ASSAY_CHECK_OK(CanAllConnect(options, store));
  std::optional<SandboxLevel> sandbox;
  if (sharing.IsShared() && !planned.toolchains.empty()) {
    ASSAY_TRY(sandbox, SandboxHere(granted.sandbox));
  }
  const auto planned_cost = [&] {
    return PlannedCostOf(planned, options.spec, granted, store, files, documents);
  };
  std::string words = RunWords(options, options.spec.file);
  for (const std::string& word : options.spec.gates) words += " " + QuoteWord(word);
  const RunOrder order{.spec = options.spec,
                       .words = std::move(words),
                       .fresh = granted.calls.fresh,
                       .offline = granted.calls.offline,
                       .is_shard = sharing.IsShared(),
                       .sandbox = sandbox,
                       .planned_cost = planned_cost,
                       .begun = SummaryOfBegun(input.stop_gates)};
  const RunMaterial material = MaterialOf(options.spec, granted, planned, files);
  const RunChoice choice{.order = order,
                         .planned = planned,
                         .material = material,
                         .granted = granted,
                         .store = store,
                         .origin = means.store->origin(),
                         .clock = means.clock,
                         .sources = input.sources.get()};
  if (const std::string& name = options.command.resume; !name.empty())
    return ChooseResumedRun(choice, name, options.command.asks_rest);
  return ChooseSharedRun(choice, sharing);
}

// Takes in the documents and goes through the cells. A run that has the cells of another needs no documents.
// `documents`: nothing if nobody has read them.
Result<Ran> GoThroughCells(Session& session, const RunInput& input, ChosenRun chosen,
                           std::optional<DocumentsAhead> documents, const Onlooker& onlooker) {
  const Options& options = input.options;
  const Planned& planned = input.planned;
  const RunWorld world = session.means.World(session.options.granted);
  const RunSpec& spec = options.spec;
  const Granted& granted = options.granted;
  Ingested ingested{.record = std::move(chosen.record), .corpus = nullptr, .warnings = {}};
  if (ingested.record.cells_of == 0) {
    if (!documents)
      documents = {.opening = OpenDocuments(planned, spec, granted, session.files, session.means.clock)};
    ASSAY_TRY(ingested, Ingest(world, planned, *std::move(documents), spec, granted,
                               std::move(ingested.record), onlooker));
  }
  for (const std::string& warning : ingested.warnings) session.ui.Problem("warning: " + warning);
  if (ingested.ending == RunEnding::kInterrupted)
    return Ran{.record = std::move(ingested.record), .ending = RunEnding::kInterrupted};
  chosen.record = std::move(ingested.record);
  ASSAY_TRY(Ran ran,
            Run(world, planned, spec, granted, std::move(chosen), std::move(ingested.corpus), onlooker));
  ran.open += ingested.open;
  return ran;
}

// The cells of the run, each with its score, its error or the reason that it was left out. `narrator` shows
// how it goes; the run keeps an error that ends it.
Result<Ran> WorkOn(Session& session, const RunInput& input, ChosenRun chosen,
                   std::optional<DocumentsAhead> documents, Narrator& narrator, const Onlooker& onlooker) {
  Store& store = session.means.store->store();
  const RunRecord begun = chosen.record;
  Result<Ran> ran = GoThroughCells(session, input, std::move(chosen), std::move(documents), onlooker);
  session.end.causes += narrator.problems();
  if (input.options.command.sharing.shard) return ran;
  if (!ran) NoteError(store, begun, ran.error());
  if (!ran) return ran;
  if (const Status rows = narrator.FinishRows(); !rows)
    session.ui.Problem(FormatError(rows.error(), SourceFiles{}));
  if (ran->ending == RunEnding::kInterrupted) return ran;
  ASSAY_CHECK_OK(LeaveOutCasesWithoutPackages(store, *input.planned.plan, ran->record, session.means.clock));
  return ran;
}

// The report. If it fails, the store keeps why.
Result<Folded> Fold(Session& session, const RunInput& input, const Ran& ran, const Onlooker& onlooker) {
  const Options& options = input.options;
  const Planned& planned = input.planned;
  const bool with_page = !session.one_page && !options.outputs.payload;
  Result<Folded> folded = FoldRun(session.means.World(session.options.granted), planned, ran, options.spec,
                                  options.granted, onlooker, with_page);
  if (!folded) NoteError(session.means.store->store(), ran.record, folded.error());
  if (!folded) return folded;
  if (options.gates.strict_models) {
    ASSAY_TRY(folded->report.totals.unnamed_replies,
              CountUnnamed(session.means.store->store(), ran.record.context.run_id));
  }
  if (session.end.causes.empty() && !ran.is_up_to_date) {
    ASSAY_TRY(session.end.causes, CausesOf(session.means.store->store(), input, ran, folded->report));
  }
  return folded;
}

Result<GateOutcome> TestGates(Session& session, const RunInput& input, const Report& report,
                              bool is_up_to_date) {
  if (!session.gatekeeper) return GateOutcome();
  return session.gatekeeper->Test(report, PassRuleOf(input.options.spec, input.planned.dialect->name),
                                  is_up_to_date);
}

// Shows what the run comes to, writes its files, and shows how it ends.
Result<ExitCode> ShowAndWrite(Session& session, const RunInput& input, const Ran& ran, Folded folded) {
  const Options& options = input.options;
  const Planned& planned = input.planned;
  const OutputRecorder recorder(session.ui, session.again.said);
  const PassRule pass = PassRuleOf(options.spec, planned.dialect->name);
  ASSAY_TRY(const ReducedReport reduced, ReducedAs(folded.report, options.shown.reduce, pass));
  ASSAY_TRY(RunOutcome outcome,
            OutcomeOf(reduced.report, options.spec, options.gates, pass, options.granted.calls.max_errors,
                      ran.ending, GivenUpModels(ran.record)));
  outcome.problems += folded.program_notes;
  ASSAY_CHECK_OK(ShowResults(session, input, folded, reduced.report));
  const Result<GateOutcome> gate = TestGates(session, input, reduced.report, ran.is_up_to_date);
  if (gate) folded.gates = gate->results();
  const Written written = WriteRun(session.means.World(session.options.granted), planned, ran, folded,
                                   options.spec, options.outputs, !session.one_page);
  if (written.failed) NoteError(session.means.store->store(), ran.record, *written.failed);
  if (!gate) return FailWith(session.ui, gate.error());
  const ReportShown shown{.report = reduced.report,
                          .lacks_summary = folded.no_summary.has_value(),
                          .is_up_to_date = ran.is_up_to_date};
  ASSAY_TRY(const ExitCode code, ShowEnd(session, input, shown, written, *gate, std::move(outcome)));
  if (!written.failed && IsCacheable(input, folded.report, written.record))
    session.again.kept = CacheableRun{.record = written.record, .written = written.paths};
  if (session.one_page || session.end.tabled == planned.dialect)
    session.end.reports.push_back(std::move(folded.report));
  session.means.shared.reset();
  return code;
}

}  // namespace

Result<ExitCode> EvaluateRun(Session& session, const RunInput& input) {
  // Chosen: the store knows the run, and whoever asks for the same finds it.
  std::optional<DocumentsAhead> documents;
  ASSAY_TRY(ChosenRun chosen, Choose(session.means, session.files, input, documents));
  ShowChosen(session, input, chosen);

  // Seated: no other process has the same cells. Where others do the work, the command ends here.
  ASSAY_TRY(const std::optional<ExitCode> end,
            EndBeforeWork(session.means, input, chosen, session.end.handed_over, session.ui));
  if (end) return *end;

  // Ran: each cell is done, an error, or left with the reason. The run gets no new cell from here on.
  Ran ran{.record = chosen.record, .is_up_to_date = chosen.is_up_to_date};
  Onlooker onlooker;
  std::optional<Narrator> narrator;
  const ShardOptions& sharing = input.options.command.sharing;
  if (!chosen.is_up_to_date) {
    onlooker = narrator.emplace(session.ui, session.means.clock, input, chosen.record).AsOnlooker();
    if (sharing.shard) onlooker.on_event = nullptr;
    Result<Ran> worked = WorkOn(session, input, std::move(chosen), std::move(documents), *narrator, onlooker);
    if (sharing.shard) return EndShard(session.means, input, worked, session.ui);
    ASSAY_TRY(ran, std::move(worked));
  }
  if (ran.ending == RunEnding::kInterrupted)
    return StopInterrupted(session.means.store->store(), ran.record, session.ui);
  if (!sharing.fold.empty() && ran.ending != RunEnding::kDecided)
    ran.ending = EndingOfShards(ran.record.ending);  // of the shards

  // Folded: the report counts every cell, and the summary of the run is there. Nothing is sent any more.
  ASSAY_TRY(Folded folded, Fold(session, input, ran, onlooker));

  // Written: the run is finished, and its files are in their places.
  return ShowAndWrite(session, input, ran, std::move(folded));
}

}  // namespace assay
