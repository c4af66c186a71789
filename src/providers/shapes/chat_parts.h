// Keeps what a reply of the chat protocol holds beside text and tool calls (thoughts, signatures), so that
// later requests can send it back.
#pragma once

#include <string>

#include "text/value.h"

namespace assay {

// A reply's message, whole or joined of a stream's pieces: what of it Message::parts keeps; "" where text and
// calls say all.
std::string ChatParts(const Value& message);
// Adds a piece of a stream to a message.
void JoinDelta(const Value& delta, Value& message);
// What `reasoning_details` show of a model's thoughts (OpenRouter).
std::string TextOfDetails(const Value& message);

}  // namespace assay
