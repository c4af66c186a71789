// Builds the executor from settings, plan and store, and runs it; listeners are told first of the cells that
// were finished before.
#include "engine/run/ran.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>

#include "dialects/habits.h"
#include "engine/choose/run_folder.h"
#include "engine/cores.h"
#include "engine/grants/limits.h"
#include "engine/grants/widths.h"
#include "engine/network/network.h"
#include "engine/open/programs.h"
#include "engine/run/note_ending.h"
#include "engine/run/recorder.h"
#include "engine/run/shared_until_cells.h"
#include "engine/run/until_cells.h"
#include "engine/words.h"
#include "plan/answers/retelling.h"
#include "plan/model_requests.h"
#include "report/aggregate.h"
#include "report/fold/fold.h"
#include "report/fold/stored_summary.h"
#include "report/values/until.h"
#include "run/executor/cells/window.h"
#include "run/limits/pace/local_pace.h"
#include "run/limits/pace/seated_pace.h"

namespace assay {

namespace {

// Processes that were told to wait do not come back together.
std::uint64_t NewSeed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = static_cast<std::uint64_t>(getpid());
  return seed;
}

Result<ExecutorOptions> ExecutorOptionsOf(const RunWorld& world, const RunSpec& spec, const Granted& granted,
                                          const RunRecord& record) {
  const CallRules& calls = granted.calls;
  const ToolHabits habits = HabitsOf(spec.compat);
  ExecutorOptions chosen{
      .workers = Cores(),
      .offline = calls.offline,
      .keeps_think_tags = habits.keeps_think_tags,
      .marks_caches = habits.marks_caches,
      .retry = {.max_retries = habits.max_retries, .waits_are_tries = habits.waits_are_tries},
      .jitter_seed = NewSeed(),
      .limits = RunLimitsOf(granted)};
  chosen.retry.rate_limits_only = habits.retries_rate_limits_only;
  if (calls.max_retries) {
    chosen.retry.max_retries = *calls.max_retries;
    chosen.retry.is_chosen = true;
  }
  if (calls.patience_s) chosen.retry.patience = Milliseconds(*calls.patience_s);
  if ((calls.batch || calls.background) && !calls.offline) {
    BatchOptions& batches = chosen.batches.emplace();
    batches.gathers = calls.batch;
    batches.in_background = calls.background;
    if (calls.batch_wait_s) batches.wait_max = Milliseconds(*calls.batch_wait_s);
    ASSAY_TRY(BatchesOfStore stored,
              OpenBatches(world.store, {.first = record.first_epoch, .last = record.epoch},
                          world.clock.WallMs(), world.origin.batch));
    batches.open = std::move(stored.open);
    batches.foreign = stored.foreign;
  }
  return chosen;
}

constexpr std::string_view kProgramPool = "program";

// The time of a run began when its ranges were opened.
void StartTogether(const Standing& standing, RunLimits& limits) {
  if (limits.max_time)
    limits.max_time = std::max(*limits.max_time - standing.age, std::chrono::milliseconds(0));
}

// Those are drawn from what all processes share.
RunLimits WithoutRates(RunLimits limits) {
  const auto clear = [](ProviderLimits& of) { of.requests_per_min = of.tokens_per_min = std::nullopt; };
  clear(limits.each);
  for (auto& [provider, of] : limits.providers) clear(of);
  return limits;
}

// How many calls all processes may have under way together, by pool, where the user says so. What runs
// programs is each machine's own.
std::vector<std::optional<std::size_t>> WidthsOfAll(std::span<const Pool> pools, const Granted& granted) {
  std::vector<std::optional<std::size_t>> widths;
  for (const Pool& pool : pools) {
    const std::string_view provider = ProviderOfPool(pool.name);
    const auto own = granted.settings.limits.find(provider);
    const bool has_own = own != granted.settings.limits.end() && own->second.max_in_flight;
    std::optional<std::size_t>& width = widths.emplace_back();
    if (provider != kProgramPool) width = has_own ? own->second.max_in_flight : granted.calls.max_in_flight;
  }
  return widths;
}

// Cells that are live here are nobody else's: a small part of those that each process has to do, but enough
// to keep this one busy.
std::size_t WindowOfShard(const Plan& plan, const ExecutorOptions& options, std::size_t shards) {
  constexpr std::size_t kSharedCellsMin = 16;
  constexpr std::size_t kParts = 8;
  const std::size_t least = std::max(kSharedCellsMin, 2 * MaxInFlight(plan, options.limits));
  return std::max(least, std::min(WindowFor(plan, options), plan.CellCount() / (kParts * shards)));
}

std::vector<std::string> GivenUpBy(const Breakers& breakers) {
  std::vector<std::string> models;
  for (const auto& [key, breaker] : breakers.Open()) models.push_back(breaker.model);
  return models;
}

// The pace of a run in which others may have a seat.
void Seat(SharedRun* shared, std::span<const Pool> pools, const RunLimits& limits, const Granted& granted,
          PaceKeeper& own, std::optional<SeatedPace>& seated) {
  if (shared == nullptr) return;
  if (!shared->is_shard()) {
    seated.emplace(own, shared->seat());
    return;
  }
  seated.emplace(own, shared->seat(), SharedRates(pools, limits, shared->seat()),
                 WidthsOfAll(pools, granted));
}

// As many cells may be out beyond a look as calls may be under way. A variant is given up with its model.
UntilWorld UntilWorldOf(const Plan& plan, const StopRule& rule, const PaceKeeper& pace,
                        Executor* const& running, const Onlooker& onlooker) {
  const auto ahead = [&plan, &pace] {
    std::size_t calls = 0;
    for (PoolIndex pool = 0; pool < plan.pools().size(); ++pool) calls += pace.Of(pool).width;
    return calls;
  };
  const auto is_given_up = [&plan, &running](VariantIndex variant) {
    return IsGivenUp(plan.suite().variants[variant], GivenUpBy(running->breakers()));
  };
  UntilWorld world{.plan = plan, .rule = rule, .ahead = ahead, .is_given_up = is_given_up};
  if (!onlooker.on_look) return world;
  world.on_look = [&](const StopScores& scores, const QuestionCourse& course, std::uint64_t at) {
    onlooker.on_look(LookValue(plan.suite(), rule, scores, course, at));
  };
  return world;
}

// Where the questions are decided, it does not matter what stopped the calls that were still out.
RunEnding EndingWith(const UntilCells* until, RunEnding ending) {
  const bool is_decided = until != nullptr && ending != RunEnding::kInterrupted && until->IsDecided();
  return is_decided ? RunEnding::kDecided : ending;
}

// The same with the state of the race, of a run that may end early.
std::function<void(const Progress&)> WithRace(const std::function<void(const Progress&)>& on_progress,
                                              UntilCells* until) {
  if (until == nullptr || !on_progress) return on_progress;
  return [&on_progress, until](const Progress& progress) {
    Progress told = progress;
    told.race = until->RaceText();
    on_progress(told);
  };
}

// `shared`: of a shard; null: nobody else works on the run.
std::unique_ptr<UntilCells> UntilCellsOf(UntilWorld world, const UntilPart& until, const CellsLeft& left,
                                         SharedRun* shared, const Clock& clock) {
  if (shared == nullptr || shared->order() == nullptr)
    return std::make_unique<UntilCells>(std::move(world), left.finished, until.outcomes);
  return std::make_unique<SharedUntilCells>(
      std::move(world), SharedUntilWorld{.seat = shared->seat(), .order = *shared->order(), .clock = clock},
      left.finished, until.outcomes);
}

void TellOthers(SharedRun& shared, const Progress& progress, const Executor& executor) {
  SeatNews news{.cells_done = progress.cells_done,
                .in_flight = progress.in_flight,
                .cells_failed = progress.cells_errors,
                .cost_nano_usd = progress.cost_nano_usd};
  for (const auto& [key, breaker] : executor.breakers().Open()) {
    if (!breaker.is_told)
      news.broken.push_back({.key = key, .model = breaker.model, .message = breaker.last_message});
  }
  shared.seat().Tell(news);
  if (shared.budget() != nullptr) shared.budget()->Tidy(false);
}

// What the others came to counts here too.
void HearOthers(SharedRun& shared, const Progress& progress, const std::optional<ErrorLimit>& errors,
                CellIndex cells, Executor& executor) {
  const Standing& others = shared.seat().standing();
  executor.Break(others.broken);
  if (shared.is_shard() && errors &&
      errors->IsExceeded(progress.cells_errors + others.failed_elsewhere, cells))
    executor.RequestStop(RunEnding::kTooManyErrors);
  if (shared.seat().IsLost())
    executor.RequestStop(shared.seat().failure() ? RunEnding::kInterrupted : RunEnding::kDisplaced);
}

// What was paid for and found no store lies in a recording, in the folder where the command runs.
Error KeepHeld(Error error, const RunRecord& record, Executor& executor, Store& store) {
  std::vector<Exchange> held = TakeUncommitted(store);
  std::vector<Exchange> more = executor.TakeHeld();
  held.insert(held.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::erase_if(held, [](const Exchange& each) { return each.error.has_value(); });
  if (held.empty() || error.code == ErrorCode::kRefused) return error;
  const std::string name = fmt::format("held-{}-{}.jsonl", record.context.run_id, getpid());
  const Status kept = RecordHeld(held, name);
  const std::string count = Counted(held.size(), "answer");
  error.notes.push_back(
      kept ? fmt::format("{} that the store did not take: {}; --replay reads it", count, name)
           : fmt::format("{} that the store did not take are lost: {}", count, kept.error().message));
  return error;
}

}  // namespace

Status TellFinished(Store& store, const std::shared_ptr<const Plan>& plan, const RunRecord& run,
                    const std::vector<bool>& finished, const RunListener& listener) {
  ASSAY_TRY(const Report report, Fold(store, run, SuiteOf(plan), RetellingOf(run.generators)));
  return report.for_each_cell(CellRange::All(), CellParts::kAll, [&](const Cell& cell) {
    const CellAddress address{cell.case_index, cell.variant, cell.attempt};
    if (finished[plan->IndexOf(address)])
      listener({.kind = RunEvent::Kind::kGraded, .cell = address, .record = &cell.record});
    return Ok();
  });
}

// What this shard does not take, or leaves, another one takes.
void LeaveToOthers(const Plan& plan, const SharedRun& shared, ExecutorOptions& options) {
  options.leaves_when_down = true;
  options.window_cells = WindowOfShard(plan, options, static_cast<std::size_t>(shared.shards()));
}

// The options of the executor for this plan, with widths that may grow and the folder of the run's programs.
Result<ExecutorOptions> OptionsOfPlan(const RunWorld& world, const Planned& planned, const Plan& plan,
                                      const RunSpec& spec, const Granted& granted, const RunRecord& record) {
  ASSAY_TRY(ExecutorOptions options, ExecutorOptionsOf(world, spec, granted, record));
  LetWidthsGrow(plan, planned.endpoints, granted, options.limits);
  if (planned.dialect != nullptr && planned.dialect->folder)
    options.runtime_root = FolderOfRun(*planned.dialect, plan.suite(), record);
  return options;
}

Result<Ran> ExecutePlan(const RunWorld& world, const Planned& planned, const PartOfRun& part,
                        const RunSpec& spec, const Granted& granted, RunRecord record,
                        const Onlooker& onlooker) {
  const Plan& plan = part.plan;
  const ModelBook models = WithModelsOf(plan.suite(), world.models);
  const Router router(planned.recorded.recordings, BaseUrlsOf(planned.endpoints), models,
                      planned.program_inputs);
  if (onlooker.on_start) onlooker.on_start();
  ASSAY_TRY(ExecutorOptions executor_options, OptionsOfPlan(world, planned, plan, spec, granted, record));
  const CellsLeft left = part.left == nullptr ? CellsLeft() : *part.left;
  PlanCells source(plan.grid(), plan.suite(), left.finished);
  LazyLauncher launcher(granted.sandbox, {part.toolchains.begin(), part.toolchains.end()});
  SharedRun* shared = world.shared;
  const bool is_shard = shared != nullptr && shared->is_shard();
  if (is_shard) StartTogether(shared->seat().standing(), executor_options.limits);
  LocalPace own_pace(plan.pools(), is_shard ? WithoutRates(executor_options.limits) : executor_options.limits,
                     executor_options.retry);
  std::optional<SeatedPace> seated;
  Seat(shared, plan.pools(), executor_options.limits, granted, own_pace, seated);
  CellSource* ranges = shared != nullptr && plan.part() == RunPart::kRun ? shared->source() : nullptr;
  if (ranges != nullptr) LeaveToOthers(plan, *shared, executor_options);
  Executor* running = nullptr;
  PaceKeeper& pace = seated ? static_cast<PaceKeeper&>(*seated) : own_pace;
  const std::unique_ptr<UntilCells> until =
      part.until == nullptr
          ? nullptr
          : UntilCellsOf(UntilWorldOf(plan, part.until->rule, pace, running, onlooker), *part.until, left,
                         ranges != nullptr ? shared : nullptr, world.clock);
  const std::function<void(const Progress&)> tell = WithRace(onlooker.on_progress, until.get());
  const std::function<void(const Progress&)> on_progress = [&](const Progress& progress) {
    if (tell) tell(progress);
    TellOthers(*shared, progress, *running);
    seated->MakeRoom();
    HearOthers(*shared, progress, executor_options.limits.max_errors, plan.CellCount(), *running);
  };
  CellSource& cells = until != nullptr ? *until : ranges != nullptr ? *ranges : source;
  CallClaims& claims = shared == nullptr || granted.calls.offline ? NoClaims() : shared->claims();
  const SystemClock machine;  // that of the store is another one where it is a server's
  Executor executor(plan, record,
                    {.clock = world.clock,
                     .machine = machine,
                     .store = world.store,
                     .transport = world.transport,
                     .launcher = launcher,
                     .router = router,
                     .endpoints = planned.endpoints,
                     .models = models,
                     .budget = world.budget,
                     .pace = pace,
                     .source = cells,
                     .claims = claims,
                     .before = left.before,
                     .documents = part.documents,
                     .columns_of = ColumnsIn(plan.suite()),
                     .on_event = RowOf(plan.part()).is_told ? onlooker.on_event : nullptr,
                     .on_progress = shared == nullptr ? tell : on_progress},
                    executor_options);
  running = &executor;
  world.signals.Watch([&executor] { executor.RequestStop(); });
  const Result<RunEnding> ending = executor.Run();
  world.signals.EndWatch();
  if (onlooker.on_end) onlooker.on_end(executor, launcher.level());
  if (!ending)
    return shared == nullptr ? ending.error() : KeepHeld(ending.error(), record, executor, world.store);
  record.requests_sent += executor.progress().sent;
  AddGivenUp(GivenUpBy(executor.breakers()), record);
  return Ran{.record = std::move(record),
             .ending = EndingWith(until.get(), *ending),
             .open = executor.progress().open};
}

namespace {

// The questions that may end the run, with what is known of its cells. Nothing: every cell is asked.
Result<std::optional<UntilPart>> UntilPartOf(Store& store, const Plan& plan, std::optional<StopRule> rule,
                                             const ChosenRun& run) {
  if (!rule) return std::optional<UntilPart>();
  UntilPart part{.rule = *std::move(rule), .outcomes = {}};
  if (run.keeps_cells) {
    const auto take = [&part](CellIndex cell, const CellOutcome& outcome) {
      part.outcomes.emplace_back(cell, outcome);
      return Ok();
    };
    ASSAY_CHECK_OK(store.VisitOutcomes(run.record.context.run_id, {0, plan.CellCount()}, take));
  }
  return std::optional(std::move(part));
}

}  // namespace

Result<std::optional<StopRule>> StopRuleOfRun(const Plan& plan, const RunSpec& spec, const ChosenRun& run) {
  if (run.asks_rest || run.record.cells_of != 0) return std::optional<StopRule>();
  const std::vector<StopGate> gates = StopGatesOfSummary(run.record.summary);
  return StopRuleOf(plan.suite(), spec, std::span<const StopGate>(gates));
}

Result<Ran> Run(const RunWorld& world, const Planned& planned, const RunSpec& spec, const Granted& granted,
                ChosenRun run, std::shared_ptr<const Corpus> corpus, const Onlooker& onlooker) {
  const Plan& plan = *planned.plan;
  CellsLeft left;
  if (run.keeps_cells) {
    ASSAY_TRY(left, CellsLeftOf(world.store, plan, run.record));
  }
  if (run.is_folded) left.finished.assign(plan.CellCount(), true);
  if (onlooker.on_event && left.before.cells_done > 0)
    ASSAY_CHECK_OK(TellFinished(world.store, planned.plan, run.record, left.finished, onlooker.on_event));
  PartOfRun part{.plan = plan,
                 .toolchains = planned.toolchains,
                 .documents = RunDocuments(std::move(corpus), plan.suite()),
                 .left = &left};
  ASSAY_TRY(std::optional<StopRule> rule, StopRuleOfRun(plan, spec, run));
  bool is_decided = false;
  if (run.is_folded && rule) {
    ASSAY_TRY(is_decided, IsDecidedByOthers(world.store, plan, *rule, run.record));
    rule.reset();
  }
  ASSAY_TRY(const std::optional<UntilPart> until, UntilPartOf(world.store, plan, std::move(rule), run));
  if (until) part.until = &*until;
  ASSAY_TRY(Ran ran, ExecutePlan(world, planned, part, spec, granted, std::move(run.record), onlooker));
  if (is_decided) ran.ending = RunEnding::kDecided;
  ran.resumed = run.resumed;
  ran.asks_rest = run.asks_rest;
  ran.inputs = run.inputs;
  return ran;
}

}  // namespace assay
