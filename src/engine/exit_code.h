// ExitCode: the exit codes of the program. Scripts rely on them: do not renumber.
#pragma once

#include <optional>

#include "base/errors/error.h"

namespace assay {

enum class ExitCode {
  kDone = 0,
  kUsage = 1,  // the command line, a suite or a setting is wrong; nothing was asked
  // The run could not finish; cells are errors or partial and --max-errors allows none; or a gate cannot
  // tell, which --max-errors does not excuse.
  kUnfinished = 2,
  // --fail-under or --pass-rate was missed, or --max-errors exceeded; --failed-exit-code says another number
  kMissed = 3,
  kRegression = 4,  // --fail-on-regression: a variant got worse; --fail-on-flip: too many cases flipped
  kBudget = 5,      // --budget-usd or --budget-tokens is spent: not everything was asked
  // EX_TEMPFAIL, of a shard: a service was down for longer than --patience; the same command goes on.
  kTryAgain = 75,
  kInterrupted = 130  // SIGINT or SIGTERM; the same command goes on
};

// With which code a command ends that this error kept from its end.
ExitCode ExitCodeOf(ErrorCode error);

// The number that the process ends with; `failed`: in place of that of kMissed.
int NumberOf(ExitCode code, const std::optional<int>& failed);

}  // namespace assay
