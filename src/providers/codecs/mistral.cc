// The provider `mistral`: the chat protocol with its differences. Source: spec blueprint 18.4;
// docs.mistral.ai, "Chat completion".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.mistral.ai/v1",
    .seed_name = "random_seed",
    .ends = {.services = "chat mistral"},
};

}  // namespace

const ProviderRow kMistralProvider = {
    .name = "mistral",
    .help = "models of Mistral",
    .example = "mistral:mistral-large-latest",
    .max_in_flight = 20,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChatUncounted,
    .base_url = kShape.base_url,
    .base_url_variable = "MISTRAL_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "MISTRAL_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
