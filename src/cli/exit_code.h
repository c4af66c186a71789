// The exit codes of the program; fixed for scripts, do not renumber.
#pragma once

namespace assay {

enum class ExitCode {
  kDone = 0,
  kUsage = 1,         // the command line, a suite or a setting is wrong; nothing was asked
  kUnfinished = 2,    // the run could not finish, or some variant got no answer at all
  kMissed = 3,        // --fail-under was missed
  kInterrupted = 130  // SIGINT or SIGTERM; the same command goes on
};

}  // namespace assay
