// The provider `openai-compatible`: any service that speaks the chat protocol, at a URL that the user gives.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "",
    .ends = kAnyEndWords,
};

}  // namespace

const ProviderRow kOpenAiCompatibleProvider = {
    .name = "openai-compatible",
    .help = "any service that speaks the chat protocol of OpenAI; its URL by --base-url",
    .example = "openai-compatible:my-model",
    .max_in_flight = 10,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .encode_embedding = EncodeEmbeddingsAs<kShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url_variable = "OPENAI_COMPATIBLE_BASE_URL",
    .key = {.need = KeyRule::Need::kOptional,
            .variables = "OPENAI_COMPATIBLE_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
