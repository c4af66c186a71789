// The trace of a turn as a JSON value: rounds, calls of tools, evidence, tokens and times of a system under
// test (docs/cli.md, `trace`).
#pragma once

#include <functional>

#include "spec/turn/turn_trace.h"
#include "text/value.h"

namespace assay {

// {rounds: [{round, at_ms, ms, input_tokens, output_tokens, calls}], gathered, tokens, timings_ms}; null if
// the attempt tells nothing of the kind. With `result_of` each call also has its `result`.
using ResultOfCall = std::function<Value(const ToolCall& call)>;
Value TraceValue(const AttemptFacts& told, const ResultOfCall& result_of = {});

}  // namespace assay
