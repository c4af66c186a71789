// Reads the answer in the reply of a service that a config describes.
//   config  validateStatus and transformResponse (an older name: responseParser), in JavaScript: the latter
//           gives the answer, or an object with output, tokenUsage, error, cost and metadata
//   source  promptfoo 0.121 (spec: promptfoo 4.1)
#pragma once

#include <string>

#include "spec/exchange/exchange.h"
#include "spec/score/score.h"
#include "text/script/script.h"
#include "text/value.h"

namespace assay {

// `takes_empty`: an answer without a word is one.
Transcript TranscriptOfService(const Value& config, const std::string& prompt, const Exchange& exchange,
                               const ScriptWorld& world, bool takes_empty);

}  // namespace assay
