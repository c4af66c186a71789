// The third pass, Planned -> Ran: executes the plan; every reply and score is in the store afterwards.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/choose/chosen_run.h"
#include "engine/plan/planned.h"
#include "engine/shards/shared_run.h"
#include "engine/signals.h"
#include "engine/state/known_stores.h"
#include "io/launcher/launcher.h"
#include "report/decide/until/stop_rule.h"
#include "run/executor/cells/cells_left.h"
#include "run/executor/executor.h"

namespace assay {

// Who is told how it goes; any of them may be null. One sitting is one use of the executor: of the plan, or
// of the question that sums it up.
struct Onlooker {
  std::function<void()> on_start;
  std::function<void(const Progress&)> on_progress;
  std::function<void(const Value&)> on_look = {};  // of a run that may end early (report/values/until.h)
  RunListener on_event = {};  // of cells of the plan, not of the question that sums it up
  // `sandbox`: the level at which programs ran; nothing if none did.
  std::function<void(const Executor&, std::optional<SandboxLevel> sandbox)> on_end;
};

// What the runs of one pass share; all of it outlives them.
struct RunWorld {
  Clock& clock;
  StopSignals& signals;
  Transport& transport;
  const ModelBook& models;
  Budget& budget;
  Store& store;
  const StoreOrigin& origin;
  SharedRun* shared = nullptr;  // null: nobody else can work on the runs
  // Another connection to the same store, which only reads. Null: there is none.
  std::function<Result<std::unique_ptr<Store>>()> open_reader = {};
};

struct Ran {
  RunRecord record;  // with what was sent
  bool resumed = false;
  bool asks_rest = false;      // of a run that had been decided: its files are made anew
  bool is_up_to_date = false;  // nobody was asked, and nothing is to be made but what is missing
  RunEnding ending = RunEnding::kWhole;
  std::uint64_t open = 0;  // requests that the same command asks again
  Digest inputs{};         // what all of its cells are made of
};

// The questions that may end this run early. Nothing: every cell is asked, or nobody asks any more.
Result<std::optional<StopRule>> StopRuleOfRun(const Plan& plan, const RunSpec& spec, const ChosenRun& run);

// Executes the plan of all cells as the chosen run, over these documents. An Error: the store failed.
Result<Ran> Run(const RunWorld& world, const Planned& planned, const RunSpec& spec, const Granted& granted,
                ChosenRun run, std::shared_ptr<const Corpus> corpus, const Onlooker& onlooker);

// Tells a listener of finished cells of a stored run, in plan order, as if they had just been graded.
Status TellFinished(Store& store, const std::shared_ptr<const Plan>& plan, const RunRecord& run,
                    const std::vector<bool>& finished, const RunListener& listener);

// What a run needs that may end early.
struct UntilPart {
  StopRule rule;
  std::vector<std::pair<CellIndex, CellOutcome>> outcomes;  // of cells that were asked before
};

// One plan of a run: of its cells, of its documents, or of a question about it as a whole.
struct PartOfRun {
  const Plan& plan;
  std::span<const InstalledToolchain> toolchains;  // of its programs
  RunDocuments documents = {};
  const CellsLeft* left = nullptr;   // null: all cells are
  const UntilPart* until = nullptr;  // null: every cell is asked
};
// One use of the executor: it executes the part's plan, and the record then knows what was sent.
Result<Ran> ExecutePlan(const RunWorld& world, const Planned& planned, const PartOfRun& part,
                        const RunSpec& spec, const Granted& granted, RunRecord record,
                        const Onlooker& onlooker);

}  // namespace assay
