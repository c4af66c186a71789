// The provider `fireworks`: the chat protocol with its differences. Source: docs.fireworks.ai, "OpenAI
// compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.fireworks.ai/inference/v1",
};

}  // namespace

const ProviderRow kFireworksProvider = {
    .name = "fireworks",
    .help = "open models, served by Fireworks",
    .example = "fireworks:accounts/fireworks/models/kimi-k3",
    .max_in_flight = 15,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .base_url = kShape.base_url,
    .base_url_variable = "FIREWORKS_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "FIREWORKS_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
