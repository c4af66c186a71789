// The provider `openai`. Source: spec blueprint 18.1 and 18.9; OpenAI API reference.
#include <array>

#include "providers/chat.h"
#include "providers/rows.h"

namespace assay {
namespace {

// They take no temperature, and count their thoughts against the limit.
constexpr auto kThinkers = std::to_array<std::string_view>({"o1", "o3", "o4", "gpt-5"});
constexpr ChatShape kShape = {
    .base_url = "https://api.openai.com/v1",
    .thinkers = kThinkers,
    .dimensions = ChatShape::Dimensions::kByModel,
};

}  // namespace

const ProviderRow kOpenAiProvider = {
    .name = "openai",
    .help = "models of OpenAI; also embeddings",
    .example = "openai:gpt-4o-mini",
    .max_in_flight = 20,
    .encode = EncodeChatAs<kShape>,
    .decode = DecodeChat,
    .classify = ClassifyChat,
    .encode_embedding = EncodeEmbeddingsAs<kShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url = kShape.base_url,
    .base_url_variable = "OPENAI_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "OPENAI_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
