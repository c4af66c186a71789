// The provider `together`: the chat protocol with its differences. Source: spec blueprint 18.5 and 18.9.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.together.xyz/v1",
    .embedded_new_lines = ChatShape::NewLines::kBlanks,
    .ends = {.services = "chat together"},
};

}  // namespace

const ProviderRow kTogetherProvider = {
    .name = "together",
    .help = "open models, served by Together; also embeddings",
    .example = "together:meta-llama/Llama-3.3-70B-Instruct-Turbo",
    .max_in_flight = 15,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChatUncounted,
    .encode_embedding = EncodeEmbeddingsAs<kShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url = kShape.base_url,
    .base_url_variable = "TOGETHER_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "TOGETHER_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
