// The provider `fireworks`: the chat protocol with its differences. Source: docs.fireworks.ai, "OpenAI
// compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kFireworksShape = {
    .base_url = "https://api.fireworks.ai/inference/v1",
};

}  // namespace

const ProviderRow kFireworksProvider = ChatProvider<kFireworksShape>({
    .name = "fireworks",
    .help = "open models, served by Fireworks",
    .example = "fireworks:accounts/fireworks/models/kimi-k3",
    .max_in_flight = 15,
    .base_url_variable = "FIREWORKS_BASE_URL",
    .key_variable = "FIREWORKS_API_KEY",
});

}  // namespace assay
