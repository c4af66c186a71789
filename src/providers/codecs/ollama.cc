// The provider `ollama`: a server on this machine that speaks the chat protocol. Source: its documentation,
// "OpenAI compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kOllamaShape = {
    .base_url = "http://127.0.0.1:11434/v1",
};

}  // namespace

const ProviderRow kOllamaProvider = ChatProvider<kOllamaShape>({
    .name = "ollama",
    .help = "local models, served by Ollama",
    .example = "ollama:llama3.2",
    .max_in_flight = 10,
    .base_url_variable = "OLLAMA_BASE_URL",
    .key_variable = "OLLAMA_API_KEY",
    .key = KeyRule::Need::kOptional,
    .embeds = true,
});

}  // namespace assay
