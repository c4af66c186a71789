// The provider `ollama`: a server on this machine that speaks the chat protocol. Source: its documentation,
// "OpenAI compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "http://127.0.0.1:11434/v1",
};

}  // namespace

const ProviderRow kOllamaProvider = {
    .name = "ollama",
    .help = "local models, served by Ollama",
    .example = "ollama:llama3.2",
    .max_in_flight = 10,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .encode_embedding = EncodeEmbeddingsAs<kShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url = kShape.base_url,
    .base_url_variable = "OLLAMA_BASE_URL",
    .key = {.need = KeyRule::Need::kOptional,
            .variables = "OLLAMA_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
