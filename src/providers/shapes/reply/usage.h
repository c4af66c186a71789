// Reads token counts out of a reply, whichever protocol wrote it (chat, Anthropic, Responses, Google, Cohere,
// Bedrock); unknown counts stay unknown, and none is taken that is no whole number (docs/cost.md).
#pragma once

#include "base/wire/wire.h"
#include "spec/exchange/request.h"
#include "text/value.h"

namespace assay {

// Whether a reply's usage has that count.
bool HasCount(const Value& usage, std::string_view name);
// "usage" of the chat protocol; not known where it has no count. Thoughts that a service counts beside the
// completion (xAI, Google's own chat protocol) are output like the rest.
Usage ChatUsage(const Value& usage);
// "usage" of Anthropic's messages: cached input stands beside the other, thoughts within the output.
Usage AnthropicUsage(const Value& usage);
// "usage" of OpenAI's Responses.
Usage ResponsesUsage(const Value& usage);
// "usageMetadata" of Google's generateContent: thoughts and what tools gave stand beside the rest.
Usage GoogleUsage(const Value& usage);

// Adds what calls of the service's own tools cost, which the body lists beside its usage: of OpenAI's
// Responses, and of a candidate of Google's. Nothing where the usage is not known.
void AddListedToolCosts(const Value& body, Usage& usage);
void AddGroundingCosts(const Value& candidate, Usage& usage);

// "usage" of Cohere's chat: what was processed, else what is billed.
Usage CohereUsage(const Value& usage);

// "usage" of Bedrock's Converse: cached input stands beside the other.
Usage BedrockUsage(const Value& usage);

// What a proxy says in the reply's headers that the call cost (LiteLLM), in billionths of a US dollar.
std::optional<std::int64_t> CostInHeaders(const HttpReply& reply);

// What a reply of any of them says although it holds no answer: cut, held back, empty, broken off in the
// middle of its stream. Not known where it says nothing. `finish`: why it ended, in our words; "" if unsaid.
struct Stated {
  Usage usage;
  std::string finish;
};
Stated StatedBy(const HttpReply& reply);

}  // namespace assay
