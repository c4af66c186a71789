// Runs the JavaScript of an `http` provider: what makes a body of a prompt, a verdict of a status, an answer
// of a reply.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "text/script/script.h"
#include "text/value.h"

namespace assay {

// What the code gives: an expression over the arguments, or a function that is called with them in their
// order. Undefined for what has no form as a value. `member`: whose code it is, for the error.
Result<Value> RunSnippet(std::string_view member, std::string_view code,
                         const std::vector<std::pair<std::string, Value>>& arguments,
                         const ScriptWorld& world);

}  // namespace assay
