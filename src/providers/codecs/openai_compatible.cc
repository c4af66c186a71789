// The provider `openai-compatible`: any service that speaks the chat protocol, at a URL that the user gives.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kOpenAiCompatibleShape = {
    .base_url = "",
    .ends = kAnyEndWords,
};

}  // namespace

const ProviderRow kOpenAiCompatibleProvider = ChatProvider<kOpenAiCompatibleShape>({
    .name = "openai-compatible",
    .help = "any service with the chat interface of OpenAI; set its URL by --base-url",
    .example = "openai-compatible:my-model",
    .max_in_flight = 10,
    .base_url_variable = "OPENAI_COMPATIBLE_BASE_URL",
    .key_variable = "OPENAI_COMPATIBLE_API_KEY",
    .key = KeyRule::Need::kOptional,
    .embeds = true,
});

}  // namespace assay
