// `assay runs --watch`: who works on a run on a server, and what is left of it, told until nobody does.
#pragma once

#include "cli/commands/command.h"
#include "store/store.h"

namespace assay {

// `name`: of the run; "latest" where the user says none.
ExitCode WatchRun(Store& store, const std::string& name, const Options& options, Ui& ui);

}  // namespace assay
