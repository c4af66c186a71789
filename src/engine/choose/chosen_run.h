// What a command asks for, and the row of the store that it gets: an unfinished run that it continues, a
// finished run that it would only repeat, or a new one.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/plan/planned.h"
#include "engine/state/known_stores.h"
#include "io/sandbox/sandbox.h"
#include "store/coordinator.h"
#include "store/store.h"

namespace assay {

struct RunMaterial;

// What a run is asked for by.
struct RunOrder {
  const RunSpec& spec;
  std::string words = {};  // after `assay run`: what people are shown
  bool fresh = false;
  bool offline = false;
  bool is_shard = false;  // others work on the run, too
  // Of a shard whose suite runs programs: the level of the sandbox that they run in here.
  std::optional<SandboxLevel> sandbox = {};
  std::function<std::string()> planned_cost = {};  // asked of a run that is begun; empty: it keeps none
  std::string begun = {};                          // its summary until it ends: gates that may end it early
  RunsHeld* held = nullptr;  // asked before a run is begun; null: no other process begins any
};

// What a run is chosen from; all of it is borrowed.
struct RunChoice {
  const RunOrder& order;
  const Planned& planned;
  const RunMaterial& material;
  const Granted& granted;
  Store& store;
  const StoreOrigin& origin;
  const Clock& clock;
  const SourceFiles* sources = nullptr;  // of the plan; null: places in them are not told

  const Suite& suite() const { return planned.plan->suite(); }
  // Of a dialect that gives each run a folder; null: it gives none.
  const RunFolder* folder() const {
    return planned.dialect != nullptr && planned.dialect->folder ? &*planned.dialect->folder : nullptr;
  }
};

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

}  // namespace assay
