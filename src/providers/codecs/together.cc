// The provider `together`: the chat protocol with its differences. Source: spec blueprint 18.5 and 18.9.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kTogetherShape = {
    .base_url = "https://api.together.xyz/v1",
    .embedded_new_lines = ChatShape::NewLines::kBlanks,
    .ends = {.services = end_words::kChat | end_words::kTogether},
};

}  // namespace

const ProviderRow kTogetherProvider = ChatProvider<kTogetherShape>({
    .name = "together",
    .help = "open models, served by Together; also embeddings",
    .example = "together:meta-llama/Llama-3.3-70B-Instruct-Turbo",
    .max_in_flight = 15,
    .base_url_variable = "TOGETHER_BASE_URL",
    .key_variable = "TOGETHER_API_KEY",
    .embeds = true,
    .stream = StreamChatUncounted,
});

}  // namespace assay
