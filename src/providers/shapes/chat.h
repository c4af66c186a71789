// The chat protocol of OpenAI, which many services speak: one codec, and a row of data for each of them.
// Sources: OpenAI API reference, "Chat completions", "Embeddings"; spec blueprint 18.1, 18.4 to 18.7, 18.9.
#pragma once

#include <optional>
#include <string_view>

#include "providers/provider.h"
#include "providers/shapes/reply/endings.h"
#include "providers/shapes/reply/status.h"
#include "providers/shapes/request/media.h"

namespace assay {

// Models of OpenAI that think before they answer, wherever they are served.
inline constexpr std::string_view kOpenAiThinkers[] = {"o1", "o3", "o4", "gpt-5"};

struct ChatShape {
  std::string_view base_url;  // "" if there is none of its own
  // Sent where the request names no limit; 0 sends none.
  std::int64_t max_tokens = 1500;
  // Model names that start so think before they answer: no temperature, and another name for the limit.
  std::span<const std::string_view> thinkers = {};
  std::string_view seed_name = "seed";
  // Thinking is ordered as {"reasoning": {...}}, in words or in tokens, and not by reasoning_effort.
  bool reasons_by_object = false;
  enum class Dimensions { kByModel, kNever };
  Dimensions dimensions = Dimensions::kNever;  // of embeddings: OpenAI cuts them on request
  enum class NewLines { kKept, kBlanks };
  NewLines embedded_new_lines = NewLines::kKept;
  EndWords ends = {.services = end_words::kChat};
  bool keeps_blanks = false;  // at both ends of an answer
  MediaWords media = MediaWords::kChat;
};

// `facts`: null where nothing is known of the model.
Result<HttpRequest> EncodeChat(const ChatShape& shape, const ModelRequest& request, const ModelFacts* facts);
// The same request for a stream: that says at its end how many tokens it took because it is asked to, or
// unasked. Bodies of both protocols, OpenAI's and Anthropic's, end with `stream`.
void StreamChat(HttpRequest& request);
void StreamChatUncounted(HttpRequest& request);
Result<HttpRequest> EncodeEmbeddings(const ChatShape& shape, const EmbedRequest& request);

template <const ChatShape& kShape>
Result<HttpRequest> EncodeChatAs(const ModelRequest& request, const ModelFacts* facts) {
  return EncodeChat(kShape, request, facts);
}
template <const ChatShape& kShape>
Result<HttpRequest> EncodeEmbeddingsAs(const EmbedRequest& request) {
  return EncodeEmbeddings(kShape, request);
}

// Text, reasoning, tool calls, finish reason and usage; bodies and event streams alike.
Result<ModelReply> DecodeChat(const ChatShape& shape, const HttpReply& reply);
template <const ChatShape& kShape>
Result<ModelReply> DecodeChatAs(const HttpReply& reply) {
  return DecodeChat(kShape, reply);
}
// The reply of a body that was read already (custom models).
Result<ModelReply> DecodeChatBody(const Value& body, const EndWords& ends);
Result<EmbedReply> DecodeEmbeddings(const HttpReply& reply);

// What a service of the chat protocol is beside its shape.
struct ChatService {
  std::string_view name, help, example;
  std::size_t max_in_flight;
  std::string_view base_url_variable, key_variable;
  KeyRule::Need key = KeyRule::Need::kRequired;  // a bearer token
  bool embeds = false;
  void (*stream)(HttpRequest& request) = StreamChat;
};

// The row of a service that speaks this protocol alone.
template <const ChatShape& kShape>
constexpr ProviderRow ChatProvider(const ChatService& service) {
  return {.name = service.name,
          .help = service.help,
          .example = service.example,
          .max_in_flight = service.max_in_flight,
          .encode_known = EncodeChatAs<kShape>,
          .decode = DecodeChatAs<kShape>,
          .classify = ClassifyByStatus,
          .stream = service.stream,
          .encode_embedding = service.embeds ? EncodeEmbeddingsAs<kShape> : nullptr,
          .decode_embedding = service.embeds ? DecodeEmbeddings : nullptr,
          .base_url = kShape.base_url,
          .base_url_variable = service.base_url_variable,
          .key = {.need = service.key,
                  .variables = service.key_variable,
                  .header = "authorization",
                  .prefix = "Bearer "},
          .max_tokens = kShape.max_tokens,
          .keeps_blanks = kShape.keeps_blanks};
}

// [{"role","content"}...], with "tool_calls" and "tool_call_id" where there are calls, and a turn of the
// model's with whatever stood beside them.
std::string ChatMessages(const std::vector<Message>& messages, MediaWords words = MediaWords::kChat);

}  // namespace assay
