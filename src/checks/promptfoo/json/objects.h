// Finds the JSON objects in a text.
#pragma once

#include <string_view>
#include <vector>

#include "text/value.h"

namespace assay::promptfoo {

// What begins at a brace and goes to where the braces match, those in quotes counted as well; at the end of
// the text those that are missing are added. Read as YAML without comments behind "//". What cannot be read
// is looked into from its next brace on. In their order, each once. The search ends after some passes over
// the text.
List ObjectsIn(std::string_view text);

}  // namespace assay::promptfoo
