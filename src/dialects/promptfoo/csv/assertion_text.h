// Reads the texts by which cells of CSV say what is expected: "contains:yes", "levenshtein(2):word".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/value.h"

namespace assay::promptfoo {

// {type, value, threshold}; a text that names no assertion is one that the answer equals.
Map AssertionOfText(std::string_view text, bool is_compatible);

// The fields between commas, trimmed, without empty ones; those in double quotes may hold commas.
std::vector<std::string> CommaList(std::string_view text);

}  // namespace assay::promptfoo
