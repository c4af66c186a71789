// `assay run --cluster`: makes the words of a run's shards and of its report, and hands them to an engine.
// docs/cluster.md.
#pragma once

#include <string>

#include "cli/commands/command.h"
#include "engine/plan/planned.h"
#include "engine/signals.h"
#include "store/store.h"

namespace assay {

// What can be looked at before anything is begun: whether the engine takes it, is here, and whether jobs will
// have the keys that this process has. kInvalidInput, kNotFound. Ok where no engine is wanted.
Status MayHandOver(const Options& options, const Planned& planned);

// Whether the server of the store has connections for all shards at once, as far as that can be known.
// kRefused.
Status CanAllConnect(const Options& options, Store& store);

// Prints what would be handed over; the run has no id yet, and nobody asks the store.
ExitCode ShowHandOver(const Options& options, Ui& ui);

struct HandOverWorld {
  Ui& ui;
  StopSignals& signals;
  Store& store;
  List& results;  // for --json
};
// Of a run that is in the store. With --wait the code is that of the report.
Result<ExitCode> HandOver(const Options& options, const std::string& run, const HandOverWorld& world);

}  // namespace assay
