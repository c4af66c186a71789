// Runs the JavaScript snippets of checks on an answer: each within its own limits, all snippets of one answer
// within limits::kScriptAnswerTime.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "checks/check.h"

namespace assay {

using ScriptGlobals = std::vector<std::pair<std::string, Value>>;

// Runs one and counts its time; kLimit, and nothing is run, when the scripts before it have used up
// limits::kScriptAnswerTime of this answer.
Result<ScriptOutcome> RunAnswerScript(std::string_view source, const ScriptGlobals& globals,
                                      const GradeInput& input, WorkerState& worker);

}  // namespace assay
