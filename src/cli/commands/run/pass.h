// One pass over the files of `assay run`. With --watch, a command makes one after each change.
#pragma once

#include <vector>

#include "cli/files/watched_files.h"
#include "cli/settings/options.h"
#include "cli/terminal/ui.h"
#include "engine/exit_code.h"
#include "engine/signals.h"
#include "run/limits/cost/ledger.h"

namespace assay {

// What all passes of a command share.
struct Passes {
  WatchedFiles& files;
  StopSignals* signals;  // null: those of the pass, once its files are read
  Ledger& ledger;
  bool& has_agreed;  // to ask models that nobody named; asked once
};

// Reads and plans every file, then evaluates one after the other. `runs`: at least one.
ExitCode RunPass(const std::vector<Options>& runs, Passes passes, Ui& ui);

}  // namespace assay
