// The end of a command that failed.
#include "cli/commands/parts/failure.h"

#include <fmt/core.h>

namespace assay {

ExitCode FailWith(Ui& ui, const Error& error) {
  ui.Problem(fmt::format("error: {}", error.message));
  return ExitCodeOf(error.code);
}

}  // namespace assay
