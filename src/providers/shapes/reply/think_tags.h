// Thoughts that a model writes into its answer between <think> and </think>, as open models do where nobody
// takes them out for them.
#pragma once

#include "spec/exchange/request.h"

namespace assay {

// Moves them from the start of the text to the reasoning; what follows is the answer. Thoughts that the limit
// of tokens cut off leave no answer. A text that does not start so, or is not closed, stays as it is.
void SeparateThoughts(ModelReply& reply);

}  // namespace assay
