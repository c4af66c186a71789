// Moves thoughts that a model wrote between tags before its answer to the reply's reasoning
// (text/thoughts.h).
#pragma once

#include "spec/exchange/request.h"
#include "text/thoughts.h"

namespace assay {

// What follows them is the answer. Thoughts that are never closed leave no answer.
void SeparateThoughts(ModelReply& reply, const AnswerForm* form = nullptr);

}  // namespace assay
