// Chooses the store's row for a command: an unfinished run that it goes on with, a finished run that it would
// only repeat, or a new one.
#pragma once

#include <functional>

#include "base/clock.h"
#include "engine/plan/planned.h"
#include "engine/state/known_stores.h"
#include "io/sandbox/sandbox.h"
#include "spec/suite/stored_suite.h"
#include "store/coordinator.h"
#include "store/store.h"

namespace assay {

struct ChosenRun {
  RunRecord record;
  bool resumed = false;
  bool is_up_to_date = false;  // a finished run: nothing is to be asked, graded or made
  bool keeps_cells = false;    // what it is made of is the same as when its finished cells were graded
  Digest inputs{};             // what it is made of now
  std::string note = {};       // what has changed here since it began, for people; "" if nothing has
  bool asks_rest = false;      // of a run that may end early: every cell is asked now
  bool is_folded = false;      // its cells stand as they are: only its report is made
};

// What a run is asked for by.
struct RunOrder {
  const RunSpec& spec;
  std::string words = {};  // after `assay run`: what people are told, and runs without a spec are known by
  bool fresh = false;
  bool offline = false;
  bool is_shard = false;  // others work on the run, too
  // Of a shard whose suite runs programs: the level of the sandbox that they run in here.
  std::optional<SandboxLevel> sandbox = {};
  std::function<std::string()> planned_cost = {};  // asked of a run that is begun; empty: it keeps none
  std::string begun = {};                          // its summary until it ends: gates that may end it early
  RunsHeld* held = nullptr;  // asked before a run is begun; null: no other process begins any
};

// Whether the run's suite was asked afresh since, even a part of it: newer answers would make another run.
bool IsOutdated(const RunRecord& run, const std::vector<RunRecord>& runs);

// Its last word is of now. Nothing else that another process writes is lost.
Status MakeLatest(Store& store, RunRecord& run, std::int64_t now_ms);

// Whether a stored run is the one that is asked for, however it was sat through.
bool IsSameRun(const RunRecord& run, const RunOrder& asked);

// What a run is made of. A large suite takes its time, so it is made before others are kept waiting.
struct RunMaterial {
  PackedSuite packed;
  Digest inputs{};
};
// Documents are read.
RunMaterial MaterialOf(const RunSpec& spec, const Granted& granted, const Planned& planned,
                       FileReader& files);

// The newest unfinished run of the same spec and the same plan; else a finished one that this command would
// only repeat; else a new one, which is begun in the store. Where each command makes a session of its own, a
// run that would only repeat another is a new one that has the other's cells. What somebody else began has
// scores of his: only its answers are used.
Result<ChosenRun> ChooseRun(const RunOrder& asked, const Planned& planned, const RunMaterial& material,
                            const Granted& granted, Store& store, const StoreOrigin& origin,
                            const Clock& clock);

// The run of this name, as one of several processes that work on it or for its report. kInvalidInput: it is
// of another suite, or of other options; kRefused: what is here differs from where it began.
Result<ChosenRun> ChooseNamedRun(const RunOrder& asked, const Planned& planned, const RunMaterial& material,
                                 Store& store, std::string_view name);

// The run of this name, to go on with it; `asks_rest`: with what it left out when it was decided, too. As
// above; kRefused: others work on it, or it is somebody else's.
Result<ChosenRun> ChooseResumedRun(const RunOrder& asked, const Planned& planned, const RunMaterial& material,
                                   const Granted& granted, Store& store, const StoreOrigin& origin,
                                   const Clock& clock, std::string_view name, bool asks_rest);

// Whether programs run here as strongly fenced as where the run began, and with the same toolchains; kRefused
// names both sides. Of runs of several processes, which make one report.
Status RunsProgramsAlike(const RunRecord& run, const RunOrder& asked, const std::vector<Toolchain>& here);

// The time that prompts tell: a recording's, else that of an earlier run of the suite, so that what was
// answered then is found again whatever changed in its files. 0: of no earlier run, or prompts tell none.
PromptClock EarlierPrompts(const RunSpec& spec, bool fresh, const Planned& planned,
                           const std::vector<RunRecord>& runs);

}  // namespace assay
