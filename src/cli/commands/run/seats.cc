// How a process takes its seat in a run that several processes work on, and how a shard ends.
#include "cli/commands/run/seats.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/commands/cluster/folding.h"
#include "cli/commands/cluster/hand_over.h"
#include "cli/commands/cluster/said_words.h"
#include "cli/commands/parts/watch_run.h"
#include "engine/choose/run_folder.h"
#include "engine/run/note_ending.h"
#include "providers/provider.h"

namespace assay {

namespace {

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
Status TakeSeat(RunMeans& means, const RunInput& input, ChosenRun& chosen, Ui& ui) {
  const ShardOptions& sharing = input.options.command.sharing;
  const Plan& plan = *input.planned.plan;
  const std::string folder = FolderOfPrograms(input, chosen.record);
  std::optional<UntilOrder> order;
  if (sharing.shard) {
    ASSAY_TRY(const std::optional<StopRule> rule, StopRuleOfRun(plan, input.options.spec, chosen));
    if (rule) order = UntilOrderOf(plan, *rule, sharing.shards);
  }
  means.shared.reset();
  ASSAY_TRY(means.shared,
            SharedRun::Join(input.options.granted, sharing, means.clock, means.store->store(), plan,
                            chosen.record, sharing.shard ? folder : std::string(), std::move(order)));
  if (sharing.shard) ui.Note(fmt::format("shard {} of run {}", *sharing.shard, chosen.record.context.run_id));
  if (sharing.shard && means.shared->begun_as() > 0 && means.shared->begun_as() != sharing.shards)
    ui.Note(fmt::format("the run was begun for {}, and this one counts {}: all share cells and limits",
                        Counted(static_cast<std::uint64_t>(means.shared->begun_as()), "shard"),
                        sharing.shards));
  if (sharing.fold.empty()) return Ok();
  chosen.is_folded = true;
  ASSAY_CHECK_OK(MayFold(means.store->store(), chosen.record, input.options));
  if (!folder.empty()) SharedFolder(folder).RemoveMarks();
  return Ok();
}

// Waits for the shards of a run to be done. False: a signal came first.
Result<bool> WaitToFold(RunMeans& means, const RunInput& input, ChosenRun& chosen, Ui& ui) {
  Store& store = means.store->store();
  ASSAY_TRY(const bool is_done, WaitForShards(store, chosen.record, input.options, means.signals, ui));
  if (!is_done) return false;
  ASSAY_TRY(chosen.record, store.FindRun(chosen.record.context.run_id));  // with the shards' last words
  return true;
}

// Takes a seat, as above. Where all cells are done, two processes may meet: a shard that starts late, and the
// fold. The fold with --wait lets the shard end first, and the shard has nothing to do. Nothing: the seat is
// taken; otherwise the exit code.
Result<std::optional<ExitCode>> TakeSeatOrEnd(RunMeans& means, const RunInput& input, ChosenRun& chosen,
                                              Ui& ui) {
  using End = std::optional<ExitCode>;
  constexpr int kTriesMax = 8;  // each after a wait for all seats
  const ShardOptions& sharing = input.options.command.sharing;
  for (int tries = 1;; ++tries) {
    const Status seated = TakeSeat(means, input, chosen, ui);
    if (seated) return End();
    if (seated.error().code != ErrorCode::kRefused || tries == kTriesMax) return seated.error();
    ASSAY_TRY(const RunWork work, WorkOnRun(means.store->store(), chosen.record.context.run_id));
    const bool is_folding =
        std::any_of(work.living.begin(), work.living.end(), [](const SeatRow& seat) { return !seat.shard; });
    if (!IsDone(work.ranges)) return seated.error();
    if (sharing.shard && is_folding) {
      ui.Note("no cells are left for this shard; another process makes the report");
      return End(ExitCode::kDone);
    }
    if (sharing.fold.empty() || !sharing.wait) return seated.error();
    ASSAY_TRY(const bool is_done, WaitToFold(means, input, chosen, ui));
    if (!is_done) return End(ExitCode::kInterrupted);
  }
}

}  // namespace

Result<std::optional<ExitCode>> EndBeforeWork(RunMeans& means, const RunInput& input, ChosenRun& chosen,
                                              List& handed_over, Ui& ui) {
  using End = std::optional<ExitCode>;
  const ShardOptions& sharing = input.options.command.sharing;
  if (chosen.is_up_to_date) return sharing.shard ? End(ExitCode::kDone) : End();
  if (!sharing.cluster.empty()) {
    ASSAY_TRY(
        const ExitCode code,
        HandOver(
            input.options, chosen.record.context.run_id,
            {.ui = ui, .signals = means.signals, .store = means.store->store(), .results = handed_over}));
    return End(code);
  }
  if (!sharing.fold.empty() && sharing.wait && chosen.record.cells > 0) {
    ASSAY_TRY(const bool is_done, WaitToFold(means, input, chosen, ui));
    if (!is_done) return End(ExitCode::kInterrupted);
  }
  return TakeSeatOrEnd(means, input, chosen, ui);
}

Result<ExitCode> EndShard(RunMeans& means, const RunInput& input, const Result<Ran>& ran, Ui& ui) {
  SharedCells& seat = means.shared->seat();
  const bool is_refused = !ran && ran.error().code == ErrorCode::kRefused;
  const bool is_displaced = is_refused || (seat.IsLost() && !seat.failure());
  if (!ran && !is_displaced) return ran.error();
  if (seat.failure()) return *seat.failure();
  // Before the seat is free: whoever waits for it to make the report looks for this word.
  const bool has_left = !is_displaced && ran->ending == RunEnding::kServiceDown;
  if (!is_displaced && ran->ending != RunEnding::kInterrupted)
    ASSAY_CHECK_OK(NoteEnding(means.store->store(), ran->record, ran->ending));
  means.shared.reset();
  if (is_displaced) {
    ui.Note("another process has taken this one's place in the run");
    return ExitCode::kDone;
  }
  if (has_left) {
    ui.Problem(
        fmt::format("a service was down for longer than --patience, and cells are left; the same command "
                    "continues run {}",
                    ran->record.context.run_id));
    return ExitCode::kTryAgain;
  }
  if (ran->ending == RunEnding::kInterrupted) return StopInterrupted(means.store->store(), ran->record, ui);
  std::vector<std::string> words = SaidWords(input.options);
  words.push_back("--fold=" + ran->record.context.run_id);
  ui.Note(fmt::format("no cells are left for this shard; when no other works, `assay {}` makes the report",
                      Printable(LineOf(words))));
  return ExitCode::kDone;
}

Result<ExitCode> StopInterrupted(Store& store, const RunRecord& record, Ui& ui) {
  ASSAY_CHECK_OK(NoteEnding(store, record, RunEnding::kInterrupted));
  ui.Note(fmt::format("stopped; the same command continues run {}", record.context.run_id));
  return ExitCode::kInterrupted;
}

}  // namespace assay
