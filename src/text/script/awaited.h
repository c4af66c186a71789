// Calls functions of foreign JavaScript whose result may be a promise.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "text/script/modules.h"
#include "text/script/script.h"

namespace assay {

// What a function with this body, whose parameters have the names of the arguments, gives once all promises
// are settled. `type_name` of the outcome is what `typeof` says, but "null" and "array" of these; `value` is
// undefined where it has no form. Limits as of ScriptEngine::Eval; a promise that nothing settles counts as
// an error that was thrown. `files`: what the body may import; null: nothing.
ScriptOutcome CallAwaited(std::string_view body, const std::vector<std::pair<std::string, Value>>& arguments,
                          const ScriptWorld& world = {}, std::chrono::nanoseconds time = limits::kScriptTime,
                          const ScriptFiles* files = nullptr);

}  // namespace assay
