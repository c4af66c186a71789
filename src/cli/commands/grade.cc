// assay grade: a run whose answers are recorded in the suite's own format; one run for each set of them.
#include "cli/commands/command.h"

namespace assay {

ExitCode GradeCommand(const Options& options, Ui& ui) {
  std::vector<Options> runs;
  for (std::size_t i = 1; i < options.arguments.size(); ++i) {
    runs.push_back(options);
    runs.back().arguments = {options.arguments.front()};
    runs.back().responses = options.arguments[i];
  }
  return RunEach(std::move(runs), ui);
}

}  // namespace assay
