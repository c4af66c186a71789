// JavaScript of a config: transforms and assertions. Runs in the script engine, without the outside world.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/promptfoo/assertion.h"

namespace assay::promptfoo {

// The body of a function: one line is an expression, several are a body already. A line that begins with a
// declaration returns what stands behind its last semicolon.
std::string FunctionBody(std::string_view code);

// A function of a file among AssertionInput::scripts: "file://asserts/check.js:pass".
struct NamedExport {
  std::string path;
  std::string function = {};  // "": the default one
};
// Empty for a text that names no file of JavaScript.
std::optional<NamedExport> NamedExportOf(std::string_view text);
// What the function says of the arguments. kThrown also where nobody has its file.
ScriptOutcome CallNamed(const NamedExport& named, const std::vector<Value>& arguments,
                        const AssertionInput& input);

// What `code`, or the function that it names, makes of the output; an error if it throws, or gives nothing.
Result<Value> TransformedOutput(std::string_view code, const AssertionInput& input);

}  // namespace assay::promptfoo
