// OpenAI's Responses protocol, for the provider `openai-responses` and for models of `openai` that speak no
// other. Sources: OpenAI API reference, "Responses", "Streaming events".
#pragma once

#include <string_view>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "providers/facts/model_facts.h"
#include "providers/provider.h"
#include "providers/shapes/chat.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// The vendor's key, whichever protocol is spoken.
inline constexpr KeyRule kOpenAiKey = {.need = KeyRule::Need::kRequired,
                                       .variables = "OPENAI_API_KEY",
                                       .header = "authorization",
                                       .prefix = "Bearer "};

// `base_url`: where the request names none. `facts`: null where nothing is known of the model.
Result<HttpRequest> EncodeResponses(std::string_view base_url, const ModelRequest& request,
                                    const ModelFacts* facts);
// The same request for a stream. Usage comes with its end, unasked.
void StreamResponses(HttpRequest& request);
bool IsResponsesRequest(const HttpRequest& request);
// Parameters under the names of this protocol: what the chat protocol calls `verbosity` stands in `text`.
Value ResponsesMembers(const Value& parameters);

// Whether a whole reply, or a stream of events, is of this protocol and not of the chat protocol.
bool IsResponsesReply(const HttpReply& reply);
// Text, reasoning summaries, function calls, finish reason and usage; the text is trimmed. A refusal is held
// back like any other answer, never graded.
Result<ModelReply> DecodeResponses(const HttpReply& reply);

// Whether a model of a service that speaks both protocols is asked by this one: it has no other, or its
// thoughts shall be shown, for which the chat protocol has no words.
bool IsAskedByResponses(const ModelRequest& request, const ModelFacts* facts);

// Of a service that speaks both protocols: which of them it is, nobody has to know.
template <const ChatShape& kShape>
Result<HttpRequest> EncodeEither(const ModelRequest& request, const ModelFacts* facts) {
  if (IsAskedByResponses(request, facts)) return EncodeResponses(kShape.base_url, request, facts);
  return EncodeChat(kShape, request, facts);
}
template <const ChatShape& kShape>
Result<ModelReply> DecodeEither(const HttpReply& reply) {
  return IsResponsesReply(reply) ? DecodeResponses(reply) : DecodeChat(kShape, reply);
}
void StreamEither(HttpRequest& request);

}  // namespace assay
