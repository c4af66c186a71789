// Compares a command with the stored runs, then leaves the chosen one to begin_run.h or continue_run.h.
#include "engine/choose/choose_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dialects/habits.h"
#include "engine/choose/begin_run.h"
#include "engine/choose/continue_run.h"
#include "engine/grants/limits.h"
#include "engine/plan/earlier_runs.h"
#include "engine/plan/run_inputs.h"
#include "store/location.h"

namespace assay {

namespace {

// A fresh run looks at no epoch but its own.
bool IsFresh(const RunRecord& run) { return run.first_epoch > 0; }

Result<std::optional<RunRecord>> FindUnfinished(const RunChoice& choice) {
  ASSAY_TRY(const std::vector<RunRecord> left,
            choice.store.Unfinished(choice.material.packed.suite_digest, EncodeRunSpec(choice.order.spec)));
  const auto found = std::find_if(left.begin(), left.end(), [&](const RunRecord& run) {
    return !choice.origin.IsForeignRun(run) && IsSameRun(run, choice.order.spec) &&
           IsFresh(run) == choice.order.fresh;
  });
  return found == left.end() ? std::nullopt : std::optional(*found);
}

// The newest finished run that was made of the same, and left nothing to be asked again.
std::optional<RunRecord> FindRepeated(const RunChoice& choice, const std::vector<RunRecord>& runs) {
  if (choice.order.fresh) return std::nullopt;
  const auto found = std::find_if(runs.rbegin(), runs.rend(), [&](const RunRecord& run) {
    return !choice.origin.IsForeignRun(run) && run.state == RunState::kFinished &&
           run.inputs == choice.material.inputs;
  });
  return found == runs.rend() || IsOutdated(*found, runs) ? std::nullopt : std::optional(*found);
}

Result<ChosenRun> ChooseFinished(const RunChoice& choice, RunRecord run) {
  ChosenRun chosen{.record = std::move(run), .is_up_to_date = true};
  ASSAY_CHECK_OK(MakeLatest(choice.store, chosen.record, choice.clock.WallMs()));
  return chosen;
}

}  // namespace

Result<ChosenRun> ChooseRun(const RunChoice& choice) {
  ASSAY_TRY(const std::vector<RunRecord> runs, choice.store.Runs());
  ASSAY_TRY(const std::optional<RunRecord> unfinished, FindUnfinished(choice));
  if (unfinished) return ContinueRun(choice, *unfinished);
  const std::optional<RunRecord> repeated = FindRepeated(choice, runs);
  if (repeated && !HabitsOf(choice.order.spec.compat).makes_sessions)
    return ChooseFinished(choice, *repeated);
  return BeginRun(choice, runs, repeated);
}

Result<ChosenRun> ChooseSharedRun(const RunChoice& choice, const ShardOptions& sharing) {
  if (!IsServer(choice.granted.store)) return ChooseRun(choice);
  ASSAY_TRY(const std::unique_ptr<Store> holder, OpenStore(StoreOptionsOf(choice.granted)));
  ASSAY_TRY(const std::unique_ptr<RunsHeld> held, HoldRuns(*holder));
  const std::string& name = sharing.fold.empty() ? sharing.run : sharing.fold;
  if (!name.empty()) return ChooseNamedRun(choice, name);
  RunOrder order = choice.order;
  order.held = held.get();
  return ChooseRun({.order = order,
                    .planned = choice.planned,
                    .material = choice.material,
                    .granted = choice.granted,
                    .store = choice.store,
                    .origin = choice.origin,
                    .clock = choice.clock,
                    .sources = choice.sources});
}

Result<ChosenRun> ChooseNamedRun(const RunChoice& choice, std::string_view name) {
  ASSAY_TRY(RunRecord run, choice.store.FindRun(name));
  ASSAY_CHECK_OK(IsOfCommand(choice, run));
  if (run.state == RunState::kFinished) return ChosenRun{.record = std::move(run), .is_up_to_date = true};
  return JoinRun(choice, std::move(run));
}

Result<ChosenRun> ChooseResumedRun(const RunChoice& choice, std::string_view name, bool asks_rest) {
  ASSAY_TRY(RunRecord run, choice.store.FindRun(name));
  if (choice.origin.IsForeignRun(run)) {
    return Error{ErrorCode::kRefused,
                 fmt::format("run {} is not this user's, and is not continued", run.context.run_id)};
  }
  ASSAY_CHECK_OK(IsOfCommand(choice, run));
  const bool has_rest = asks_rest && run.ending == RunEnding::kDecided;
  if (run.state != RunState::kFinished || has_rest) return ReopenRun(choice, run, asks_rest);
  ASSAY_TRY(ChosenRun chosen, ChooseFinished(choice, std::move(run)));
  chosen.inputs = choice.material.inputs;
  return chosen;
}

}  // namespace assay
