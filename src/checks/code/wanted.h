// Words for what a rule of the checks `keywords` and `blank_filling` accepts, as shown in items: “word”, the
// pattern “a|b”, “a” or “b”.
#pragma once

#include <string>

#include "text/value.h"

namespace assay {

// `rule`: a text, a list of alternatives, or a mapping with or, and, content, regex, cond. Never empty.
std::string WantedText(const Value& rule, bool is_pattern = false);

}  // namespace assay
