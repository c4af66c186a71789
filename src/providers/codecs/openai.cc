// The provider `openai`. Source: spec blueprint 18.1 and 18.9; OpenAI API reference.
#include "providers/codecs/openai_responses.h"
#include "providers/codecs/rows.h"
#include "providers/facts/model_facts.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.openai.com/v1",
    .thinkers = kOpenAiThinkers,
    .dimensions = ChatShape::Dimensions::kByModel,
};

// Models that have no other protocol are asked by the Responses API without anybody having to know.
Result<HttpRequest> Encode(const ModelRequest& request, const ModelFacts* facts) {
  if (facts != nullptr && facts->responses_only) return EncodeResponses(kShape.base_url, request, facts);
  return EncodeChat(kShape, request, facts);
}

void Stream(HttpRequest& request) {
  if (IsResponsesRequest(request)) return StreamResponses(request);
  StreamChat(request);
}

Result<ModelReply> Decode(const HttpReply& reply) {
  return IsResponsesReply(reply) ? DecodeResponses(reply) : DecodeChat(kShape, reply);
}

}  // namespace

const ProviderRow kOpenAiProvider = {
    .name = "openai",
    .help = "models of OpenAI; also embeddings",
    .example = "openai:gpt-4o-mini",
    .max_in_flight = 20,
    .encode_known = Encode,
    .decode = Decode,
    .classify = ClassifyChat,
    .stream = Stream,
    .encode_embedding = EncodeEmbeddingsAs<kShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url = kShape.base_url,
    .base_url_variable = "OPENAI_BASE_URL",
    .key = kOpenAiKey,
};

}  // namespace assay
