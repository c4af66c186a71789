// Runs one snippet with the time that is left, and adds its CPU time to what the answer's snippets have used.
#include "checks/text/answer_script.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "checks/limits.h"

namespace assay {

Result<ScriptOutcome> RunAnswerScript(std::string_view source, const ScriptGlobals& globals,
                                      const GradeInput& input, WorkerState& worker) {
  const std::chrono::nanoseconds left = limits::kScriptAnswerTime - input.answer.script_time;
  if (left <= std::chrono::nanoseconds{0}) {
    return Error{ErrorCode::kLimit,
                 fmt::format("not run: the scripts of one answer may run {} ms together, and those before it "
                             "did; write fewer or faster ones",
                             limits::kScriptAnswerTime.count())};
  }
  ScriptOutcome outcome = worker.Script().Eval(source, globals, input.world,
                                               std::min<std::chrono::nanoseconds>(left, limits::kScriptTime));
  input.answer.script_time += outcome.cpu_time;
  return outcome;
}

}  // namespace assay
