// The command `assay grade`: grades recorded answers; each set of answers is a variant of the run.
#include "cli/commands/command.h"

namespace assay {

ExitCode GradeCommand(const Options& options, Ui& ui) {
  Options run = options;
  run.arguments = {options.arguments.front()};
  run.spec.file = run.arguments.front();
  run.spec.responses.assign(options.arguments.begin() + 1, options.arguments.end());
  return RunEach({std::move(run)}, ui);
}

}  // namespace assay
