// `assay runs --watch`: who works on a run on a server, and what is left of it, told until nobody does.
#pragma once

#include <string>

#include "cli/commands/command.h"
#include "engine/signals.h"
#include "store/coordinator.h"
#include "store/store.h"

namespace assay {

// `name`: of the run; "latest" where the user says none.
ExitCode WatchRun(Store& store, const std::string& name, const Options& options, Ui& ui);

// Tells how far the shards of a run are, where that has changed:
// "2 shards at work; ranges of cells: 3 open, 1 held, 8 done"
class WorkTeller {
 public:
  explicit WorkTeller(Ui& ui) : ui_(ui) {}
  void Tell(const RunWork& work);

 private:
  Ui& ui_;
  std::string told_;
};

// Whether shards have begun, and left nothing.
bool IsDone(const RangeCounts& ranges);

}  // namespace assay
