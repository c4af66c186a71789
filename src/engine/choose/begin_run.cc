// Fills the record of a new run, and gives it a name and a time of its own.
#include "engine/choose/begin_run.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "engine/choose/continue_run.h"
#include "engine/choose/run_folder.h"
#include "engine/choose/toolchain_changes.h"
#include "engine/local_time.h"
#include "engine/plan/earlier_runs.h"
#include "engine/plan/run_inputs.h"
#include "plan/answers/generator.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::int64_t kMsOfSecond = 1000;

// "20261121T221500-3fa9", UTC; the digits keep runs of one second apart.
std::string NewRunId(std::int64_t now_ms) {
  const std::time_t seconds = static_cast<std::time_t>(now_ms / kMsOfSecond);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::uint16_t salt = 0;
  if (getrandom(&salt, sizeof salt, 0) != sizeof salt) salt = static_cast<std::uint16_t>(now_ms);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}-{:04x}", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, salt);
}

// Of the runs that begin in one second each has an id of its own.
std::string FreeRunId(const RunChoice& choice, const std::vector<RunRecord>& runs, std::int64_t now_ms) {
  std::string id = NewRunId(now_ms);
  const auto is_taken = [&id](const RunRecord& run) { return run.context.run_id == id; };
  while (std::any_of(runs.begin(), runs.end(), is_taken)) id = NewRunId(choice.clock.WallMs());
  return id;
}

std::string FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

// The time that its prompts tell; 0: they tell none.
PromptClock PromptsOf(const RunChoice& choice, const std::vector<RunRecord>& runs,
                      const RunContext& context) {
  const PromptClock earlier = EarlierPrompts(choice.order.spec, choice.order.fresh, choice.planned, runs);
  if (earlier.ms != 0 || !choice.planned.plan->HasAnswerer(&GeneratorRow::tells_time)) return earlier;
  return {.ms = context.started_ms, .utc_offset_min = context.utc_offset_min};
}

// The run that this command would have continued, if its cases were what they were. "": there is none.
std::string NotContinued(const RunChoice& choice, const std::vector<RunRecord>& runs) {
  const auto last = std::find_if(runs.rbegin(), runs.rend(), [&choice](const RunRecord& run) {
    return !choice.origin.IsForeignRun(run) && IsSameRun(run, choice.order.spec);
  });
  const bool is_left = last != runs.rend() && last->state == RunState::kUnfinished &&
                       last->plan_digest != choice.material.packed.suite_digest && !choice.order.fresh;
  const std::string changed = is_left ? ChangedSince(choice, *last) : std::string();
  if (changed.empty()) return {};
  return fmt::format(
      "run {} is not finished, and is not continued: {}; this is a new run, which takes what has "
      "not changed from the store",
      last->context.run_id, changed);
}

RunRecord NewRecord(const RunChoice& choice, const std::vector<RunRecord>& runs, std::uint32_t epoch) {
  const RunOrder& order = choice.order;
  const Suite& suite = choice.suite();
  const std::int64_t now_ms = choice.clock.WallMs();
  RunRecord run;
  run.context = {.run_id = FreeRunId(choice, runs, now_ms),
                 .started_ms = now_ms,
                 .utc_offset_min = UtcOffsetMinutes(now_ms),
                 .run_label = suite.run_label,
                 .suite_root = FolderOf(choice.planned.problems.path),
                 .assay_version = ASSAY_VERSION};
  run.context.prompts = PromptsOf(choice, runs, run.context);
  run.title = suite.title;
  run.dialect = suite.dialect;
  // Whether it was offline is said of a run, but does not make it another one.
  run.source = fmt::format("{}{}", order.words, order.offline ? " --offline" : "");
  run.spec = EncodeRunSpec(order.spec);
  run.plan_digest = choice.material.packed.suite_digest;
  run.suite = choice.material.packed.digest;
  run.inputs = choice.material.inputs;
  run.toolchains = EncodeToolchains(ToolchainsOfRun(suite, order.sandbox));
  run.generators = EncodeGeneratorVersions(VersionsFor(suite));
  run.epoch = epoch;
  run.first_epoch = order.fresh ? run.epoch : 0;
  run.cells = choice.planned.plan->CellCount();
  // Of a run of shards nobody is there while it waits for the first, and for its report: none of it was cut.
  if (!order.is_shard) run.ending = RunEnding::kOpen;
  run.mean_score = std::nan("");
  run.summary = order.begun;
  if (order.planned_cost) run.planned = order.planned_cost();
  return run;
}

}  // namespace

Result<ChosenRun> BeginRun(const RunChoice& choice, const std::vector<RunRecord>& runs,
                           const std::optional<RunRecord>& repeated) {
  Store& store = choice.store;
  ASSAY_TRY(const std::uint32_t epoch, choice.order.fresh ? store.NewEpoch() : store.NewestEpoch());
  ChosenRun chosen{.record = NewRecord(choice, runs, epoch),
                   .keeps_cells = repeated.has_value(),
                   .inputs = choice.material.inputs,
                   .note = ChangedPrompts(choice.planned, runs)};
  if (chosen.note.empty()) chosen.note = NotContinued(choice, runs);
  RunRecord& run = chosen.record;
  if (repeated) {
    run.cells_of = repeated->number;
    run.generators = repeated->generators;
  }
  ASSAY_CHECK_OK(store.SaveSuite(choice.material.packed));
  if (choice.order.held != nullptr) ASSAY_CHECK_OK(choice.order.held->StillHolds());
  ASSAY_CHECK_OK(choice.folder() != nullptr ? BeginInFolder(*choice.folder(), choice.suite(), run, store)
                                            : store.BeginRun(run));
  return chosen;
}

}  // namespace assay
