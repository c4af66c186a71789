// Reads streamed replies of the chat protocol (server-sent events), and the parts that whole and streamed
// replies share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "providers/shapes/reply/endings.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// The whole stream, put together. kCorrupt if it ends before the service says that it is over.
Result<ModelReply> DecodeChatStream(std::string_view stream, const EndWords& ends);

// Whether an event of a stream, of this protocol or another provider's, is the first that says something: a
// piece of the answer or of what the model thinks, a call of a tool, the end, a complaint. False for events
// that only open the reply and for pings; true for what is unknown.
bool BeginsAnswer(std::string_view event_data);

// Appends what `content` says: a text, or a list of parts of which some are texts and some are thoughts.
void TakeChatContent(const Value& content, ModelReply& reply);
// What a choice says of itself that failed while the reply around it did not (OpenRouter).
std::optional<Error> ErrorOfChoice(const Value& choice);
// The words with which a model refuses, in the place of its answer: the reply ends with kRefusal, and these
// words are its text and its end words.
void TakeRefusal(std::string refusal, ModelReply& reply);

}  // namespace assay
