// The provider `cerebras`: the chat protocol with its differences. Source: inference-docs.cerebras.ai,
// "OpenAI compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kCerebrasShape = {
    .base_url = "https://api.cerebras.ai/v1",
};

}  // namespace

const ProviderRow kCerebrasProvider = ChatProvider<kCerebrasShape>({
    .name = "cerebras",
    .help = "open models, served by Cerebras",
    .example = "cerebras:gpt-oss-120b",
    .max_in_flight = 10,
    .base_url_variable = "CEREBRAS_BASE_URL",
    .key_variable = "CEREBRAS_API_KEY",
});

}  // namespace assay
