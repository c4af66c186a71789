// What the user sees of a run: which one is chosen, what it comes to, how it ends, and where its files are.
#pragma once

#include "base/errors/result.h"
#include "cli/commands/run/session.h"
#include "engine/choose/chosen_run.h"
#include "engine/run/run_outcome.h"
#include "engine/write/folded.h"
#include "engine/write/written.h"

namespace assay {

void ShowUpToDate(const RunContext& run, Ui& ui);
void ShowChosen(Session& session, const RunInput& input, const ChosenRun& chosen);

// Whose answers a store holds that this user did not make.
void ShowOrigin(const StoreOrigin& origin, const Options& options, Ui& ui);

// What the run comes to. Its files are written later. `reduced`: the report as --reduce makes it.
Status ShowResults(Session& session, const RunInput& input, const Folded& folded, const Report& reduced);

struct ReportShown {
  const Report& report;  // as --reduce makes it
  bool lacks_summary = false;
  bool is_up_to_date = false;
};
// How the run ends, and where its files are. Returns the exit code.
Result<ExitCode> ShowEnd(Session& session, const RunInput& input, const ReportShown& shown,
                         const Written& written, const GateOutcome& gate, RunOutcome outcome);

}  // namespace assay
