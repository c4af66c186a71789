// JavaScript of a config: transforms and assertions. Runs in the script engine, without the outside world.
#pragma once

#include <string>
#include <string_view>

#include "checks/promptfoo/assertion.h"

namespace assay::promptfoo {

// The body of a function: one line is an expression, several are a body already. A line that begins with a
// declaration returns what stands behind its last semicolon.
std::string FunctionBody(std::string_view code);

// What `code` makes of the output; an error if it throws, or gives nothing.
Result<Value> TransformedOutput(std::string_view code, const AssertionInput& input);

}  // namespace assay::promptfoo
