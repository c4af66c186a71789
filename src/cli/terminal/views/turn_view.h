// Formats the trace of a research turn for the terminal: rounds, tools, evidence, tokens and times.
#pragma once

#include <string>

#include "spec/turn/turn_trace.h"

namespace assay {

// Lines, each printable; "" if the attempt tells nothing of the kind. `in_full`: arguments as long as they
// are.
std::string TraceText(const AttemptFacts& told, bool in_full);
}  // namespace assay
