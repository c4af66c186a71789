// The provider `mistral`: the chat protocol with its differences. Source: spec blueprint 18.4;
// docs.mistral.ai, "Chat completion".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kMistralShape = {
    .base_url = "https://api.mistral.ai/v1",
    .seed_name = "random_seed",
    .ends = {.services = end_words::kChat | end_words::kMistral},
    .media = MediaWords::kMistral,
};

}  // namespace

const ProviderRow kMistralProvider = ChatProvider<kMistralShape>({
    .name = "mistral",
    .help = "models of Mistral",
    .example = "mistral:mistral-large-latest",
    .max_in_flight = 20,
    .base_url_variable = "MISTRAL_BASE_URL",
    .key_variable = "MISTRAL_API_KEY",
    .stream = StreamChatUncounted,
});

}  // namespace assay
