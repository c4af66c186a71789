// The provider `cerebras`: the chat protocol with its differences. Source: inference-docs.cerebras.ai,
// "OpenAI compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.cerebras.ai/v1",
};

}  // namespace

const ProviderRow kCerebrasProvider = {
    .name = "cerebras",
    .help = "open models, served by Cerebras",
    .example = "cerebras:gpt-oss-120b",
    .max_in_flight = 10,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .base_url = kShape.base_url,
    .base_url_variable = "CEREBRAS_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "CEREBRAS_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
