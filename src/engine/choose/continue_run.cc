// Compares this process with where a run began, and writes that the run continues.
#include "engine/choose/continue_run.h"

#include <fmt/core.h>

#include "base/text/shell_words.h"
#include "engine/choose/run_folder.h"
#include "engine/choose/toolchain_changes.h"
#include "engine/plan/run_inputs.h"
#include "engine/shards/shared_run.h"
#include "report/decide/changed_cases.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "store/location.h"

namespace assay {

namespace {

// Whether this process may work on a run beside others: what it makes is what they make.
Status MayJoin(const RunChoice& choice, const RunRecord& run) {
  const Digest& inputs = choice.material.inputs;
  if (run.context.assay_version != ASSAY_VERSION) {
    return CannotJoin(run, fmt::format("it was begun by assay {}, and this is {}", run.context.assay_version,
                                       ASSAY_VERSION));
  }
  ASSAY_CHECK_OK(RunsProgramsAlike(run, choice.order.sandbox, choice.suite().toolchains));
  if (run.inputs == inputs) return Ok();
  return CannotJoin(
      run, fmt::format("what it is made of, files or settings, is {} where it began, and {} on {}",
                       run.inputs ? HexPrefix(*run.inputs, 12) : "of several kinds", HexPrefix(inputs, 12),
                       HostName()));
}

// Nobody begins what others are at: they would ask the same.
Status MayContinueAlone(const RunChoice& choice, const RunRecord& run) {
  ASSAY_TRY(const RunWork work, WorkOnRun(choice.store, run.context.run_id));
  if (work.living.empty()) return Ok();
  return Error{
      ErrorCode::kRefused,
      fmt::format("run {} is worked on: {}; wait for it, see `assay runs --watch {}{}`", run.context.run_id,
                  SeatsText(work), QuoteWord(run.context.run_id), StoreOption(choice.granted.store))};
}

// What stopped it before stops it no more. Of a shard: unless others are at work, whose ending counts.
Status ClearEnding(const RunChoice& choice, RunRecord& run) {
  const bool is_shard = choice.order.is_shard;
  if (is_shard) {
    ASSAY_TRY(const RunWork others, WorkOnRun(choice.store, run.context.run_id));
    if (!others.living.empty()) return Ok();
  }
  run.ending = is_shard ? std::nullopt : std::optional(RunEnding::kOpen);
  run.given_up.clear();
  return Ok();
}

// Its cells stay if they are made of what is here now.
bool KeepsCells(const RunChoice& choice, RunRecord& run) {
  const bool keeps = run.inputs == choice.material.inputs;
  if (!keeps) run.inputs.reset();  // its cells are made of two kinds of things
  return keeps;
}

}  // namespace

bool IsSameRun(const RunRecord& run, const RunSpec& spec) { return run.spec == EncodeRunSpec(spec); }

std::string ChangedSince(const RunChoice& choice, const RunRecord& run) {
  const PackedSuite& packed = choice.material.packed;
  if (!run.suite || choice.sources == nullptr) return {};
  const Result<Suite> then = choice.store.LoadSuite(*run.suite);
  // As it would be stored: credentials stand in neither.
  Result<Suite> now = UnpackSuite(packed.frame, packed.digest);
  if (!then || !now) return {};
  for (CaseIndex i = 0; i < now->cases.size(); ++i)
    now->cases[i].details.span = PlaceOfCase(choice.suite().cases[i]);
  return ChangedCasesText(FindChangedCases(*then, *now), *choice.sources);
}

Status IsOfCommand(const RunChoice& choice, const RunRecord& run) {
  const PackedSuite& packed = choice.material.packed;
  const auto is_other = [&](std::string_view what, std::string_view there, std::string_view here) {
    return Error{ErrorCode::kInvalidInput, fmt::format("run {} is of another {}: {} there, {} here",
                                                       run.context.run_id, what, there, here)};
  };
  const std::string changed = run.plan_digest == packed.suite_digest ? "" : ChangedSince(choice, run);
  if (!changed.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("run {} cannot be continued with these cases: {}; put them back, or begin a run "
                             "without --resume: it takes what has not changed from the store",
                             run.context.run_id, changed)};
  }
  if (run.plan_digest != packed.suite_digest)
    return is_other("suite", HexPrefix(run.plan_digest, 12), HexPrefix(packed.suite_digest, 12));
  if (!IsSameRun(run, choice.order.spec)) return is_other("command", run.source, choice.order.words);
  return Ok();
}

Result<ChosenRun> ContinueRun(const RunChoice& choice, const RunRecord& run) {
  ASSAY_CHECK_OK(choice.order.is_shard ? MayJoin(choice, run) : MayContinueAlone(choice, run));
  if (choice.folder() != nullptr) ASSAY_CHECK_OK(MakeFolder(*choice.folder(), choice.suite(), run));
  ChosenRun chosen;
  chosen.inputs = choice.material.inputs;
  ASSAY_TRY(chosen.record, choice.store.ChangeRun(run.context.run_id, [&](RunRecord& now) -> Status {
    now.finished_ms = choice.clock.WallMs();  // so that it is the latest
    chosen.is_up_to_date = now.state == RunState::kFinished;
    chosen.resumed = !chosen.is_up_to_date;
    if (chosen.is_up_to_date) return Ok();
    chosen.keeps_cells = KeepsCells(choice, now);
    return ClearEnding(choice, now);
  }));
  chosen.note = ChangedToolchains(chosen.record, choice.suite().toolchains);
  return chosen;
}

Result<ChosenRun> JoinRun(const RunChoice& choice, RunRecord run) {
  ASSAY_CHECK_OK(MayJoin(choice, run));
  if (choice.order.is_shard && (run.ending || !run.given_up.empty())) {
    ASSAY_TRY(run, choice.store.ChangeRun(run.context.run_id, [&choice](RunRecord& now) {
      return now.state == RunState::kFinished ? Ok() : ClearEnding(choice, now);
    }));
  }
  return ChosenRun{
      .record = std::move(run), .resumed = true, .keeps_cells = true, .inputs = choice.material.inputs};
}

Result<ChosenRun> ReopenRun(const RunChoice& choice, const RunRecord& run, bool asks_rest) {
  ASSAY_CHECK_OK(MayContinueAlone(choice, run));
  ChosenRun chosen{.record = run, .resumed = true, .inputs = choice.material.inputs, .asks_rest = asks_rest};
  ASSAY_TRY(chosen.record, choice.store.ChangeRun(run.context.run_id, [&](RunRecord& now) {
    now.state = RunState::kUnfinished;
    now.finished_ms = choice.clock.WallMs();
    chosen.keeps_cells = KeepsCells(choice, now);
    return ClearEnding(choice, now);
  }));
  chosen.note = ChangedToolchains(chosen.record, choice.suite().toolchains);
  return chosen;
}

}  // namespace assay
