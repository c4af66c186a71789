// Shows the user which run is chosen, what it comes to, how it ends and where its files are.
#include "cli/commands/run/shown.h"

#include <fmt/core.h>

#include "base/text/shell_words.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/commands/parts/named_files.h"
#include "cli/commands/parts/pages.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/views/results_view.h"
#include "dialects/habits.h"
#include "engine/choose/run_folder.h"
#include "engine/ci.h"
#include "engine/run/run_outcome.h"
#include "engine/state/known_stores.h"
#include "engine/write/pass_rule.h"
#include "engine/write/written.h"
#include "report/decide/factors.h"
#include "report/decide/until/until_run.h"
#include "report/fold/planned_cost.h"
#include "report/values/comparisons.h"
#include "report/values/groups.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "report/values/until.h"
#include "run/limits/cost/run_cost.h"
#include "store/location.h"

namespace assay {

namespace {

// Programs that follow a run hear of its end, too.
void ShowEndAtOnce(Session& session, const RunInput& input, const RunRecord& record) {
  if (input.options.shown.progress != ProgressMode::kJson) return;
  Progress progress;
  progress.cells_total = progress.cells_done = record.cells;
  ProgressDisplay(session.ui, session.means.clock, ProgressMode::kJson).End(progress);
}

// " $41 of about $130.": what a run cost that stopped when it was decided, and what all of it would have; "":
// it did not stop so, or no price is known.
Result<std::string> MoneyText(RunMeans& means, const Folded& folded) {
  const Report& report = folded.report;
  if (report.until == nullptr || !report.until->is_stopped()) return std::string();
  ASSAY_TRY(const RunCost cost, CostOfRun(means.store->store(), folded.record, means.models));
  const double spent = static_cast<double>(cost.nano_usd) / kNanoPerUsd;
  if (spent <= 0) return std::string();
  const std::optional<PlannedCost> planned = DecodePlannedCost(folded.record.planned);
  const double asked = static_cast<double>(folded.record.cells - report.until->cells_skipped);
  const double in_proportion = spent * static_cast<double>(folded.record.cells) / asked;
  // The plan leaves out what was answered before.
  const bool has_all = planned && planned->calls >= folded.record.cells && planned->usd > spent;
  const double all = has_all ? planned->usd : in_proportion;
  return fmt::format(" {} of about {}.", UsdText(spent), UsdText(all));
}

}  // namespace

void ShowUpToDate(const RunContext& run, Ui& ui) {
  ui.Note(
      fmt::format("up to date: run {} of {}; --fresh sends every request again", run.run_id, StartText(run)));
}

void ShowChosen(Session& session, const RunInput& input, const ChosenRun& chosen) {
  if (chosen.resumed) session.ui.Note(fmt::format("continuing run {}", chosen.record.context.run_id));
  if (chosen.is_up_to_date) {
    ShowUpToDate(chosen.record.context, session.ui);
    ShowEndAtOnce(session, input, chosen.record);
  }
  if (!chosen.note.empty()) session.ui.Note(chosen.note);
  const OutputRecorder recorder(session.ui, session.again.said);
  for (const std::string& note : input.planned.recorded.notes) session.ui.Note(note);
}

Status ShowResults(Session& session, const RunInput& input, const Folded& folded, const Report& reduced) {
  const Options& options = input.options;
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, session.means.store->store().BeginReading());
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
    ASSAY_TRY(const std::string money, MoneyText(session.means, folded));
    ASSAY_TRY(const std::string tables, RunTables(reduced, {.pass = pass,
                                                            .every_case = options.shown.verbose,
                                                            .pass_at_k = options.spec.pass_at_k,
                                                            .by = options.shown.by,
                                                            .verdict_first = !narration,
                                                            .money = money,
                                                            .screen = options.shown.screen}));
    session.ui.Out(tables);
    if (narration) {
      ASSAY_TRY(const std::string verdict, VerdictText(reduced, money));
      session.end.verdicts += verdict;
    }
    if (input.planned.dialect->tables) session.end.tabled = input.planned.dialect;
  }
  // Whether standard output can be written is looked at when all is done.
  static_cast<void>(session.ui.Flush());
  return Ok();
}

Result<ExitCode> ShowEnd(Session& session, const RunInput& input, const ReportShown& shown,
                         const Written& written, const GateOutcome& gate, RunOutcome outcome) {
  const Options& options = input.options;
  const bool lacks_summary = shown.lacks_summary && options.spec.require_summary;
  if (written.failed || lacks_summary) outcome.code = ExitCode::kUnfinished;
  outcome.code = Worse(outcome.code, gate.code);
  if (options.shown.json && !options.outputs.payload) {
    ASSAY_TRY(const RunCost cost,
              CostOfRun(session.means.store->store(), written.record, session.means.models));
    std::vector<std::string> files = written.paths;
    files.insert(files.end(), written.exported.begin(), written.exported.end());
    Map map = RunMembers(shown.report, {.record = written.record,
                                        .cost = cost,
                                        .files = files,
                                        .exit = NumberOf(outcome.code, options.gates.failed_exit_code),
                                        .is_up_to_date = shown.is_up_to_date});
    const PassRule pass = PassRuleOf(options.spec, input.planned.dialect->name);
    ASSAY_TRY(Value statistics, StatisticsValue(shown.report, pass, {}, options.spec.pass_at_k));
    map.Append("statistics", std::move(statistics));
    ASSAY_TRY(const std::shared_ptr<const RunStatistics> gathered, StatisticsOf(shown.report, pass));
    map.Append("groups", GroupsValue(*shown.report.suite, *gathered, options.shown.by));
    ASSAY_TRY(Value until, UntilValue(shown.report));
    map.Append("until", std::move(until));
    if (session.gatekeeper) map.Append("gates", GatesValue(gate.gates));
    session.end.results.push_back({.members = std::move(map), .files = files});
  }
  if (!outcome.problems.empty()) session.ui.Problem(outcome.problems);
  if (!gate.told.empty()) session.ui.Problem(gate.told);
  for (const std::string& note : written.notes) session.ui.Problem("warning: " + Printable(note));
  if (written.failed) {
    session.ui.Problem(FormatError(*written.failed, SourceFiles{}));
    session.ui.Problem("the answers are in the store; the same command writes the files and sends nothing");
  }
  const std::string root = OutRoot(*input.planned.dialect, *shown.report.suite, options.outputs);
  NameFiles(written, {root, options.shown.verbose, shown.is_up_to_date}, session.again.said, session.ui);
  if (session.ui.settings().status == StatusStyle::kLive)
    session.end.next = NextStepText(*shown.report.suite, written.paths, options);
  if (const std::string note = PartToldNote(shown.report); !note.empty()) session.ui.Note(note);
  return outcome.code;
}

void ShowOrigin(const StoreOrigin& origin, const Options& options, Ui& ui) {
  if (!origin.IsForeign()) return;
  const std::string path = QuoteWord(Printable(ShownLocation(options.granted.store)));
  // CI refuses to take over what others made; gates say what to do there (gate_rules.cc).
  const std::string remedy =
      IsInCi() ? std::string() : fmt::format("; `assay cache adopt --store {}` takes them over", path);
  ui.Note(fmt::format("{} has answers that this user did not make{}{}; they are used and counted{}", path,
                      origin.why.empty() ? "" : ": ", Printable(origin.why), remedy));
}

}  // namespace assay
