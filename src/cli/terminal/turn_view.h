// The trace of a research turn as the terminal shows it: rounds, tools, evidence, tokens and times.
#pragma once

#include <string>

#include "spec/turn_trace.h"
#include "text/value.h"

namespace assay {

// Lines, each printable; "" if the attempt tells nothing of the kind. `in_full`: arguments as long as they
// are.
std::string TraceText(const AttemptFacts& told, bool in_full);
// {rounds: [{round, at_ms, ms, input_tokens, output_tokens, calls}], gathered, tokens, timings_ms}; null if
// the attempt tells nothing of the kind. docs/cli.md.
Value TraceValue(const AttemptFacts& told);

}  // namespace assay
