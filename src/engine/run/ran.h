// The third pass, Planned -> Ran: executes the plan; every reply and score is in the store afterwards.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/plan/planned.h"
#include "engine/run/run_record.h"
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
  bool is_decided = false;     // its questions were, before every cell was asked
  RunEnd end = RunEnd::kFinished;
  std::uint64_t open = 0;  // requests that the same command asks again
  Digest inputs{};         // what all of its cells are made of
};

// Why the run stopped, as its record keeps it.
RunStop StopOf(const Ran& ran);
// Why a run ended so; of one that ended by itself kWhole.
RunStop StopOf(RunEnd end);
// How a run ends that was stopped so, for whoever makes the report of what others did.
RunEnd EndOf(std::optional<RunStop> stop);
// Whether a limit that the user set stopped it.
bool IsOfLimit(std::optional<RunStop> stop);
// Adds models that were asked no more; the run's parts, and its processes, may give up the same one.
void AddGivenUp(std::span<const std::string> more, RunRecord& record);
// Notes why a process of the run stopped, in the run as it stands by now: nothing in one that is finished,
// and nothing that says less than what another process has noted; models that it gave up beside theirs.
Status NoteStop(Store& store, const RunRecord& run, RunStop stop);
// An error ends the run; nothing where it says that another process has this one's place.
void NoteError(Store& store, const RunRecord& run, const Error& error);

// The questions that may end this run early. Nothing: every cell is asked, or nobody asks any more.
Result<std::optional<StopRule>> StopRuleOfRun(const Plan& plan, const RunSpec& spec, const ChosenRun& run);

// Executes the plan as the chosen run, over these documents. An Error: the store failed.
Result<Ran> Run(const RunWorld& world, const Planned& planned, const RunSpec& spec, const Granted& granted,
                ChosenRun run, std::shared_ptr<const Corpus> corpus, const Onlooker& onlooker);

// Tells a listener of finished cells of a stored run, in plan order, as if they had just been graded.
Status TellFinished(Store& store, const std::shared_ptr<const Plan>& plan, const RunRecord& run,
                    const std::vector<bool>& finished, const RunListener& listener);

// Where a run keeps its files, of a dialect that gives each run a folder.
std::string FolderOfRun(const DialectRow& dialect, const Suite& suite, const RunRecord& record);

// What a run needs that may end early.
struct UntilPart {
  StopRule rule;
  std::vector<std::pair<CellIndex, CellOutcome>> outcomes;  // of cells that were asked before
};

// The same of another part of the same run: of its documents, or of a question about it as a whole.
struct PartOfRun {
  const Plan& plan;
  std::span<const InstalledToolchain> toolchains;  // of its programs
  RunDocuments documents = {};
  const CellsLeft* left = nullptr;   // null: all cells are
  const UntilPart* until = nullptr;  // null: every cell is asked
};
Result<Ran> RunAnother(const RunWorld& world, const Planned& planned, const PartOfRun& part,
                       const RunSpec& spec, const Granted& granted, RunRecord record,
                       const Onlooker& onlooker);

}  // namespace assay
