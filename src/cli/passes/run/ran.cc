// Builds the executor from settings, plan and store, and runs it; listeners are told first of the cells that
// were finished before.
#include "cli/passes/run/ran.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>

#include "cli/passes/open/cores.h"
#include "cli/passes/open/programs.h"
#include "cli/settings/limits.h"
#include "cli/settings/network.h"
#include "dialects/habits.h"
#include "history/retelling.h"
#include "report/aggregate.h"
#include "report/fold/fold.h"
#include "run/executor/cells/window.h"
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
  if (calls.batch && !calls.offline) {
    BatchOptions& batches = chosen.batches.emplace();
    if (calls.batch_wait_s) batches.wait_max = Milliseconds(*calls.batch_wait_s);
    ASSAY_TRY(batches.open, OpenBatches(world.store, {.first = record.first_epoch, .last = record.epoch},
                                        world.clock.WallMs()));
  }
  return chosen;
}

}  // namespace

Status TellFinished(Store& store, const std::shared_ptr<const Plan>& plan, const RunRecord& run,
                    const std::vector<bool>& finished, const RunListener& listener) {
  ASSAY_TRY(const Report report, Fold(store, run, SuiteOf(plan), RetellingOf(run)));
  return report.for_each_cell(CellRange::All(), CellParts::kAll, [&](const Cell& cell) {
    const CellAddress address{cell.case_index, cell.variant, cell.attempt};
    if (finished[plan->IndexOf(address)])
      listener({.kind = RunEvent::Kind::kGraded, .cell = address, .record = &cell.record});
    return Ok();
  });
}

std::string FolderOfRun(const DialectRow& dialect, const Suite& suite, const RunRecord& record) {
  return fmt::format("{}/{}", dialect.folder->root(suite), record.context.run_label);
}

Result<Ran> RunAnother(const RunWorld& world, const Planned& planned, const PartOfRun& part,
                       const RunSpec& spec, const Granted& granted, RunRecord record,
                       const Onlooker& onlooker) {
  const Plan& plan = part.plan;
  const Router router(planned.recorded.recordings, BaseUrlsOf(planned.endpoints),
                      ModelBook(granted.settings.models), planned.program_inputs);
  if (onlooker.on_start) onlooker.on_start();
  ASSAY_TRY(ExecutorOptions executor_options, ExecutorOptionsOf(world, spec, granted, record));
  if (planned.dialect != nullptr && planned.dialect->folder)
    executor_options.runtime_root = FolderOfRun(*planned.dialect, plan.suite(), record);
  const CellsLeft left = part.left == nullptr ? CellsLeft() : *part.left;
  PlanCells source(plan.grid(), plan.suite(), left.finished);
  LazyLauncher launcher(granted.sandbox, {part.toolchains.begin(), part.toolchains.end()});
  SharedRun* shared = world.shared;
  LocalPace own_pace(plan.pools(), executor_options.limits, executor_options.retry);
  std::optional<SeatedPace> pace;
  if (shared != nullptr) pace.emplace(own_pace, shared->seat());
  CellSource* ranges = shared != nullptr && plan.part() == RunPart::kRun ? shared->source() : nullptr;
  // Cells that are live here are nobody else's: no more of them than keep this process busy.
  constexpr std::size_t kSharedCellsMin = 16;
  if (ranges != nullptr) {
    executor_options.window_cells = std::max(kSharedCellsMin, 2 * MaxInFlight(plan, executor_options.limits));
  }
  Executor* running = nullptr;
  const std::function<void(const Progress&)> on_progress = [&](const Progress& progress) {
    if (onlooker.on_progress) onlooker.on_progress(progress);
    shared->seat().Tell({.cells_done = progress.cells_done, .in_flight = progress.in_flight});
    if (shared->seat().IsLost()) running->RequestStop();
  };
  Executor executor(plan, record,
                    {.clock = world.clock,
                     .store = world.store,
                     .transport = world.transport,
                     .launcher = &launcher,
                     .router = router,
                     .endpoints = &planned.endpoints,
                     .models = &world.models,
                     .budget = world.budget.limits().IsSet() ? &world.budget : nullptr,
                     .pace = pace ? &*pace : nullptr,
                     .source = ranges == nullptr ? &source : ranges,
                     .claims = shared == nullptr || granted.calls.offline ? nullptr : &shared->claims(),
                     .before = left.before,
                     .corpus = part.corpus,
                     .evidence = part.evidence,
                     .columns_of = ColumnsIn(plan.suite()),
                     .on_event = RowOf(plan.part()).is_told ? onlooker.on_event : nullptr,
                     .on_progress = shared == nullptr ? onlooker.on_progress : on_progress},
                    executor_options);
  running = &executor;
  world.signals.Watch([&executor] { executor.RequestStop(); });
  const Result<RunEnd> end = executor.Run();
  world.signals.EndWatch();
  if (onlooker.on_end) onlooker.on_end(executor, launcher.level());
  if (!end) return end.error();
  record.requests_sent += executor.progress().sent;
  return Ran{.record = std::move(record), .resumed = false, .end = *end, .open = executor.progress().open};
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
  PartOfRun part{.plan = plan, .toolchains = planned.toolchains, .corpus = std::move(corpus), .left = &left};
  if (part.corpus != nullptr)
    part.evidence = std::make_shared<const SuiteEvidence>(EvidenceOf(*part.corpus, plan.suite()));
  ASSAY_TRY(Ran ran, RunAnother(world, planned, part, spec, granted, std::move(run.record), onlooker));
  ran.resumed = run.resumed;
  ran.inputs = run.inputs;
  return ran;
}

}  // namespace assay
