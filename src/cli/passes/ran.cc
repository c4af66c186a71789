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
                                          const RunRecord& record, const Sitting& sitting) {
  ExecutorOptions chosen{.workers = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))),
                         .first_cell = sitting.first_cell,
                         .offline = options.offline,
                         .keeps_think_tags = HabitsOf(options.compat).keeps_think_tags,
                         .marks_caches = HabitsOf(options.compat).marks_caches,
                         .retry = {.max_retries = HabitsOf(options.compat).max_retries,
                                   .waits_are_tries = HabitsOf(options.compat).waits_are_tries},
                         .limits = RunLimitsOf(options)};
  // A document that cannot be read is told by its name; cells that fail are counted of the run's own.
  if (sitting.plan.suite().opens_run) chosen.limits.max_errors.reset();
  chosen.retry.rate_limits_only = HabitsOf(options.compat).retries_rate_limits_only;
  if (options.max_retries) {
    chosen.retry.max_retries = *options.max_retries;
    chosen.retry.is_chosen = true;
  }
  if (options.patience_s) chosen.retry.patience = Milliseconds(*options.patience_s);
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

Result<Ran> RunAnother(const RunWorld& world, const Planned& planned, const Sitting& sitting,
                       const Options& options, RunRecord record, const Onlooker& onlooker) {
  const Plan& plan = sitting.plan;
  const Router router(planned.recorded.recordings, BaseUrlsOf(planned.endpoints),
                      ModelBook(options.settings.models), planned.program_inputs);
  if (onlooker.on_start) onlooker.on_start();
  ASSAY_TRY(ExecutorOptions executor_options, ExecutorOptionsOf(world, options, record, sitting));
  if (planned.dialect != nullptr && planned.dialect->folder)
    executor_options.runtime_root = FolderOfRun(*planned.dialect, plan.suite(), record);
  LazyLauncher launcher(options.sandbox, {sitting.toolchains.begin(), sitting.toolchains.end()});
  Executor executor(plan, record,
                    {.clock = world.clock,
                     .store = world.store,
                     .transport = world.transport,
                     .launcher = &launcher,
                     .router = router,
                     .endpoints = &planned.endpoints,
                     .models = &world.models,
                     .ledger = world.ledger.budget().IsSet() ? &world.ledger : nullptr,
                     .corpus = sitting.corpus,
                     .columns_of = ColumnsIn(plan.suite()),
                     .on_event = sitting.first_cell == 0 ? onlooker.on_event : nullptr,
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
                std::shared_ptr<const Corpus> corpus, const Onlooker& onlooker) {
  const Sitting sitting{
      .plan = *planned.plan, .toolchains = planned.toolchains, .corpus = std::move(corpus)};
  ASSAY_TRY(Ran ran, RunAnother(world, planned, sitting, options, std::move(run.record), onlooker));
  ran.resumed = run.resumed;
  return ran;
}

}  // namespace assay
