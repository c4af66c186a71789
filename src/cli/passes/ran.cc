// Putting the executor together.
#include "cli/passes/ran.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "cli/passes/programs.h"
#include "cli/settings/limits.h"
#include "cli/settings/network.h"
#include "dialects/habits.h"
#include "report/aggregate.h"

namespace assay {

namespace {

Result<ExecutorOptions> ExecutorOptionsOf(const RunWorld& world, const Options& options,
                                          const RunRecord& record, CellIndex first_cell) {
  ExecutorOptions chosen{.workers = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))),
                         .first_cell = first_cell,
                         .offline = options.offline,
                         .keeps_think_tags = HabitsOf(options.compat).keeps_think_tags,
                         .marks_caches = HabitsOf(options.compat).marks_caches,
                         .retry = {},
                         .limits = RunLimitsOf(options)};
  if (options.max_retries) {
    chosen.retry.max_retries = *options.max_retries;
    chosen.retry.is_chosen = true;
  }
  if (options.batch && !options.offline) {
    BatchOptions& batches = chosen.batches.emplace();
    if (options.batch_wait_s) batches.wait_max = Milliseconds(*options.batch_wait_s);
    ASSAY_TRY(batches.open, OpenBatches(world.store, {.first = record.first_epoch, .last = record.epoch},
                                        world.clock.WallMs()));
  }
  return chosen;
}

}  // namespace

std::string FolderOfRun(const DialectRow& dialect, const Suite& suite, const RunRecord& record) {
  return fmt::format("{}/{}", dialect.folder->root(suite), record.context.run_label);
}

Result<Ran> RunAnother(const RunWorld& world, const Planned& planned, const Plan& plan,
                       const Options& options, RunRecord record, CellIndex first_cell,
                       const Onlooker& onlooker) {
  const Router router(planned.recorded.recordings, BaseUrlsOf(planned.endpoints),
                      ModelBook(options.settings.models));
  if (onlooker.on_start) onlooker.on_start();
  ASSAY_TRY(ExecutorOptions executor_options, ExecutorOptionsOf(world, options, record, first_cell));
  if (planned.dialect != nullptr && planned.dialect->folder)
    executor_options.runtime_root = FolderOfRun(*planned.dialect, plan.suite(), record);
  LazyLauncher launcher(options.sandbox, planned.toolchains);
  Executor executor(plan, record,
                    {.clock = world.clock,
                     .store = world.store,
                     .transport = world.transport,
                     .launcher = &launcher,
                     .router = router,
                     .endpoints = &planned.endpoints,
                     .models = &world.models,
                     .ledger = world.ledger.budget().IsSet() ? &world.ledger : nullptr,
                     .columns_of = ColumnsIn(plan.suite()),
                     .on_event = first_cell == 0 ? onlooker.on_event : nullptr,
                     .on_progress = onlooker.on_progress},
                    executor_options);
  world.signals.Watch([&executor] { executor.RequestStop(); });
  const Result<RunEnd> end = executor.Run();
  world.signals.EndWatch();
  if (onlooker.on_end) onlooker.on_end(executor, launcher.level());
  if (!end) return end.error();
  record.requests_sent += executor.progress().sent;
  return Ran{.record = std::move(record), .resumed = false, .end = *end};
}

Result<Ran> Run(const RunWorld& world, const Planned& planned, const Options& options, ChosenRun run,
                const Onlooker& onlooker) {
  ASSAY_TRY(Ran ran, RunAnother(world, planned, *planned.plan, options, std::move(run.record), 0, onlooker));
  ran.resumed = run.resumed;
  return ran;
}

}  // namespace assay
