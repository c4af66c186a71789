// OpenAI's Responses protocol: of the provider `openai-responses`, and of the models of `openai` that have no
// other. Sources: OpenAI API reference, "Responses", "Streaming events".
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/wire.h"
#include "providers/provider.h"
#include "spec/request.h"
#include "text/value.h"

namespace assay {

// The vendor's key, whichever protocol is spoken.
inline constexpr KeyRule kOpenAiKey = {.need = KeyRule::Need::kRequired,
                                       .variables = "OPENAI_API_KEY",
                                       .header = "authorization",
                                       .prefix = "Bearer "};

struct ModelFacts;

// `base_url`: where the request names none. `facts`: null where nothing is known of the model.
Result<HttpRequest> EncodeResponses(std::string_view base_url, const ModelRequest& request,
                                    const ModelFacts* facts);
// The same request for a stream. Usage comes with its end, unasked.
void StreamResponses(HttpRequest& request);
bool IsResponsesRequest(const HttpRequest& request);

// Whether a whole reply, or a stream of events, is of this protocol and not of the chat protocol.
bool IsResponsesReply(const HttpReply& reply);
// Text, reasoning summaries, function calls, finish reason and usage; the text is trimmed. A refusal is held
// back like any other answer, never graded.
Result<ModelReply> DecodeResponses(const HttpReply& reply);

}  // namespace assay
