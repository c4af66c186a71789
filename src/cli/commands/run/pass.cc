// One pass over the files of a command: reads and plans all of them, opens the store, evaluates one after the
// other.
#include "cli/commands/run/pass.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/files/file_reader.h"
#include "cli/commands/cluster/hand_over.h"
#include "cli/commands/parts/cached_output.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/commands/parts/named_files.h"
#include "cli/commands/parts/until_options.h"
#include "cli/files/fetched.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/views/assumed_models.h"
#include "engine/network/network.h"
#include "engine/open/loaded.h"
#include "engine/plan/priced_plan.h"
#include "engine/run/gate_rules.h"
#include "engine/run/run_outcome.h"
#include "engine/run/store_clock.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"
#include "engine/state/store_seal.h"
#include "engine/write/writer.h"
#include "engine/write/written.h"
#include "engine/write/written_files.h"
#include "report/decide/until/stop_rule.h"
#include "report/export.h"
#include "report/fold/merge.h"
#include "run/wire/network_transport.h"
#include "store/location.h"
#include "text/json/json.h"
#include "text/object.h"

#include "cli/commands/run/one_run.h"

#include "cli/commands/run/repeated.h"

#include "cli/commands/run/shown.h"

#include "cli/commands/run/session.h"

namespace assay {

namespace {

// What a server does not let this user or this assay do stays so.
ExitCode FailToOpen(Ui& ui, const Error& error, const Granted& granted, const StopSignals& signals) {
  if (signals.came()) return ExitCode::kInterrupted;
  const ExitCode code = FailUnfinished(ui, error);
  const bool is_of_key = !StoreKey().has_value();
  return IsServer(granted.store) || is_of_key ? ExitCodeOf(error.code) : code;
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

// Not every question can be put to every suite.
void RefuseQuestion(RunInput& input) {
  Planned& planned = input.planned;
  if (planned.plan == nullptr) return;
  const auto rule = StopRuleOf(planned.plan->suite(), input.options.spec);
  if (rule) return;
  planned.problems.found.Error("run.until", rule.error().message, Span{},
                               "ask another question, or leave --until out");
}

// Reads and plans every file, and shows what is wrong with them. Nothing: one of them cannot be run.
std::optional<std::vector<RunInput>> PlanAll(const std::vector<Options>& runs, FileReader& files, Ui& ui) {
  const auto texts = std::make_shared<SourceFiles>();
  SourceFiles& sources = *texts;
  std::vector<RunInput> inputs;
  std::set<std::string> told;
  bool has_errors = false;
  for (const Options& run : runs) {
    Loaded loaded = Load(run.spec, run.granted, files, sources);
    if (!run.command.sharing.dry_run) FetchMedia(run.granted, Fetching::kWhereAllowed, loaded);
    inputs.push_back({.options = run,
                      .planned = MakePlan(std::move(loaded), run.spec, run.granted, Purpose::kRun),
                      .sources = texts});
    RefusePayload(inputs.back());
    RefuseQuestion(inputs.back());
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

// Shows before the first call which models files without models mean. False: the user does not agree.
Result<bool> AgreeOnAssumedModels(const Session& session, const std::vector<RunInput>& inputs,
                                  bool& has_agreed) {
  bool is_told = false;
  const bool asks = !has_agreed && CanAskUser();
  for (const RunInput& input : inputs) {
    if (input.planned.plan->suite().assumed_models.empty() || session.options.granted.calls.offline) continue;
    ASSAY_TRY(const PricedPlan priced, PricePlan(input.planned, input.options.spec, input.options.granted,
                                                 &session.means.store->store(), session.files));
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

// report.html of all runs together, in the folder of the first.
Status WriteOnePage(const Options& options, PassEnd& end, Ui& ui) {
  ASSAY_TRY(const std::unique_ptr<MergedReport> merged, MergeReports(std::move(end.reports)));
  WrittenFiles files(options.outputs.out, Existing::kSetAside);
  files.EnterFolder(merged->report.run.run_id);
  ASSAY_CHECK_OK(ExportUnasked(merged->report, {}, files));
  NameWritten(files.paths(), {options.outputs.out, options.shown.verbose}, ui);
  for (RunResult& run : end.results) run.files.push_back(files.paths().back());
  return Ok();
}

// A list of all runs.
std::string ResultsJson(PassEnd& end) {
  List list = std::move(end.handed_over);
  for (RunResult& run : end.results) {
    run.members.Set("files", ArrayOf(run.files));
    list.emplace_back(std::move(run.members));
  }
  return WriteJson(Value(std::move(list)), JsonStyle::kJavaScript2);
}

// What concerns all runs together.
ExitCode EndPass(const Options& options, bool one_page, PassEnd& end, Ui& ui) {
  ExitCode code = ExitCode::kDone;
  if (end.tabled != nullptr) {
    const Result<std::string> tables = end.tabled->tables->text(end.reports);
    if (!tables) return FailUnfinished(ui, tables.error());
    // The tables of the format keep to its own way, whatever --reduce says.
    const std::string own = end.reports.empty() || options.shown.reduce.empty()
                                ? std::string()
                                : ValueTitleOf(*end.reports.front().suite);
    ui.Out(own.empty() ? "\n" : fmt::format("\nas the suite itself counts ({}):\n", own));
    ui.Out(PrintableLines(*tables));
  }
  if (!end.verdicts.empty()) ui.Out("\n" + end.verdicts);
  if (one_page && !end.reports.empty()) {
    if (const Status written = WriteOnePage(options, end, ui); !written)
      code = FailUnfinished(ui, written.error());
  }
  if (options.shown.json && !options.outputs.payload) ui.Out(ShownJson(ResultsJson(end)) + "\n");
  return code;
}

// One file after the other, then what concerns all of them. What failed comes last.
ExitCode EvaluateAll(Session& session, const std::vector<RunInput>& inputs) {
  ExitCode code = ExitCode::kDone;
  for (const RunInput& input : inputs) {
    Result<ExitCode> one = EvaluateRun(session, input);
    code = Worse(code, one ? *one : FailUnfinished(session.ui, one.error()));
    if (code == ExitCode::kInterrupted) break;
  }
  {
    const OutputRecorder recorder(session.ui, session.again.said);
    code = Worse(code, EndPass(session.options, session.one_page, session.end, session.ui));
  }
  if (inputs.size() == 1 && session.end.causes.empty() && !session.end.next.empty())
    session.ui.Note(session.end.next);
  if (!session.end.causes.empty()) session.ui.Problem(session.end.causes);
  return code;
}

// What no store can mend: a gate by answers of others, a folder that cannot be written, a cluster that is not
// there. Nothing: the command goes on.
std::optional<ExitCode> EndBeforeStore(const Options& options, const std::vector<RunInput>& inputs, Ui& ui) {
  for (const RunInput& input : inputs) {
    const Status may = MayGateBy(input.planned.recorded, options.gates, options.granted);
    if (!may) return FailWith(ui, may.error());
    if (const Status can = MayExport(options.outputs, input.planned.plan->suite()); !can)
      return FailWith(ui, can.error());
    if (options.outputs.payload) continue;
    const std::string out = OutRoot(*input.planned.dialect, input.planned.plan->suite(), options.outputs);
    if (const Status ready = CheckOutFolder(out); !ready) return FailUnfinished(ui, ready.error());
  }
  if (const Status can = MayHandOver(options, inputs.front().planned); !can) return FailWith(ui, can.error());
  if (options.command.sharing.dry_run) return ShowHandOver(options, ui);
  return std::nullopt;
}

// The gates that may end the run early are a part of what it is; a run that goes on has its own.
Status PutStopGates(const Session& session, RunInput& input) {
  if (!input.options.command.resume.empty()) return Ok();
  const Gatekeeper* keeper = session.gatekeeper.get();
  ASSAY_TRY(input.stop_gates, StopGatesOf(input.options, input.planned, keeper));
  PutGates(input.stop_gates, keeper, input.options);
  const auto rule = StopRuleOf(input.planned.plan->suite(), input.options.spec,
                               std::span<const StopGate>(input.stop_gates));
  if (!rule) return rule.error();
  return Ok();
}

// Opens the store of the session, and the gates that compare with its runs. Nothing: the command goes on.
std::optional<ExitCode> OpenSession(Session& session, std::vector<RunInput>& inputs) {
  const Options& options = session.options;
  Ui& ui = session.ui;
  Result<std::unique_ptr<OwnStore>> store =
      OpenForWriting(options.granted, session.means.clock, session.means.signals,
                     [&ui](std::string text) { ui.Note(text); });
  if (!store) return FailToOpen(ui, store.error(), options.granted, session.means.signals);
  session.means.store = *std::move(store);
  if (const Status set = session.means.clock.Follow(session.means.store->store()); !set)
    return FailUnfinished(ui, set.error());
  const Status may = MayGateBy(session.means.store->origin(), options.gates, options.granted);
  if (!may) return FailWith(ui, may.error());
  ShowOrigin(session.means.store->origin(), options, ui);
  Result<std::unique_ptr<Gatekeeper>> gatekeeper = Gatekeeper::Open(session.means.store->store(), options);
  if (!gatekeeper) return FailWith(ui, gatekeeper.error());
  session.gatekeeper = *std::move(gatekeeper);
  for (const RunInput& input : inputs) {
    if (!session.gatekeeper) break;
    if (const Status pairs = session.gatekeeper->CheckPairs(input.planned.plan->suite()); !pairs)
      return FailWith(ui, pairs.error());
  }
  for (RunInput& input : inputs) {
    if (const Status put = PutStopGates(session, input); !put) return FailWith(ui, put.error());
  }
  return std::nullopt;
}

bool AreOfOneFile(const std::vector<RunInput>& inputs) {
  return inputs.size() > 1 && std::all_of(inputs.begin(), inputs.end(), [&](const RunInput& input) {
           return input.planned.problems.path == inputs.front().planned.problems.path;
         });
}

}  // namespace

ExitCode RunPass(const std::vector<Options>& runs, Passes passes, Ui& ui) {
  const Options& options = runs.front();
  const std::int64_t read_ms = SystemClock().WallMs();
  std::vector<OutputText> said;
  std::vector<OutputText>* const keeps_said = runs.size() == 1 && IsCacheable(options) ? &said : nullptr;

  // Planned: every file is read, and each problem of each file has been shown.
  std::optional<std::vector<RunInput>> inputs;
  {
    const OutputRecorder recorder(ui, keeps_said);
    inputs = PlanAll(runs, passes.files, ui);
  }
  if (!inputs) return ExitCode::kUsage;

  std::optional<StopSignals> own_signals;
  if (passes.signals == nullptr) passes.signals = &own_signals.emplace();
  Session session{.options = options,
                  .ui = ui,
                  .files = passes.files,
                  .one_page = AreOfOneFile(*inputs) && !options.outputs.payload,
                  .means = {.signals = *passes.signals,
                            .transport = NetworkTransport(NetworkOptions(options.granted),
                                                          EnvironmentOfPrograms(options.granted)),
                            .models = ModelBook(options.granted.settings.models),
                            .ledger = passes.ledger},
                  .again = {.said = keeps_said}};

  // Opened: the store is there for this process, and its answers may be used. Nothing has been sent.
  if (const auto end = EndBeforeStore(options, *inputs, ui)) return *end;
  if (const auto end = OpenSession(session, *inputs)) return *end;
  const Result<bool> goes_on = AgreeOnAssumedModels(session, *inputs, passes.has_agreed);
  if (!goes_on) return FailUnfinished(ui, goes_on.error());
  if (!*goes_on) return ExitCode::kUsage;

  // Evaluated: each file has its run, its files and its exit code.
  const ExitCode code = EvaluateAll(session, *inputs);
  CacheOutput(session, passes.files, std::move(said), code, read_ms);
  return code;
}

}  // namespace assay
