// Moves thoughts that a model wrote between <think> and </think> at the start of its answer to the reply's
// reasoning.
#pragma once

#include "spec/exchange/request.h"

namespace assay {

// Moves them from the start of the text to the reasoning; what follows is the answer. Thoughts that the limit
// of tokens cut off leave no answer. A text that does not start so, or is not closed, stays as it is.
void SeparateThoughts(ModelReply& reply);

}  // namespace assay
