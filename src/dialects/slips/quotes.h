// Finds values of YAML that stand between the quotes of a word processor, which are no quotes of YAML.
#pragma once

#include <string_view>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {

// Warns of each text in the tree that begins and ends with such a mark and has no straight quotes around it:
// the marks belong to the text.
void WarnOfTypographicQuotes(const Value& tree, std::string_view code, Diagnostics& diagnostics);

}  // namespace assay
