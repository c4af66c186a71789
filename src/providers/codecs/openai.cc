// The provider `openai`: the chat protocol, and the Responses protocol for models that have no other. Source:
// spec blueprint 18.1 and 18.9; OpenAI API reference.
#include "providers/codecs/openai_responses.h"
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kOpenAiShape = {
    .base_url = "https://api.openai.com/v1",
    .thinkers = kOpenAiThinkers,
    .dimensions = ChatShape::Dimensions::kByModel,
};

}  // namespace

const ProviderRow kOpenAiProvider = {
    .name = "openai",
    .help = "models of OpenAI; also embeddings",
    .example = "openai:gpt-6-luna",
    .max_in_flight = 20,
    .encode_known = EncodeEither<kOpenAiShape>,
    .decode = DecodeEither<kOpenAiShape>,
    .classify = ClassifyByStatus,
    .stream = StreamEither,
    .encode_embedding = EncodeEmbeddingsAs<kOpenAiShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url = kOpenAiShape.base_url,
    .base_url_variable = "OPENAI_BASE_URL",
    .key = kOpenAiKey,
};

}  // namespace assay
