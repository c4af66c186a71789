// Runs that may end early, as the command line asks for them: which options go together, what the run keeps
// of the gates that may end it, and what shaped a run that goes on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/settings/options.h"
#include "engine/plan/planned.h"

namespace assay {

// What does not go with --until, or without it; "" if all does.
std::string WrongUntil(const Options& options);

// Whether something may end the run before every cell is asked.
bool MayEndEarly(const Options& options);

// What does not go with --early or --until gate, or without them; "" if all does.
std::string WrongEarly(const Options& options);

// What the run keeps of its gates; none where they need every case. `keeper`: null: no gate has a base.
Result<std::vector<StopGate>> StopGatesOf(const Options& options, const Planned& planned,
                                          const Gatekeeper* keeper);

// The gates as the run's spec has them: words of a command line, and a digest of what they test.
void PutGates(std::span<const StopGate> gates, const Gatekeeper* keeper, Options& options);

// Takes file and spec of the run that --resume names from the store. kRefused: somebody else made it.
Status TakeResumed(Options& options);

}  // namespace assay
