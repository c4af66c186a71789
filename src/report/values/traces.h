// The trace of a turn as a JSON value: rounds, calls of tools, evidence, tokens and times of a system under
// test (docs/cli.md, `trace`).
#pragma once

#include "spec/turn/turn_trace.h"
#include "text/value.h"

namespace assay {

// {rounds: [{round, at_ms, ms, input_tokens, output_tokens, calls}], gathered, tokens, timings_ms}; null if
// the attempt tells nothing of the kind.
Value TraceValue(const AttemptFacts& told);

}  // namespace assay
