// The provider `deepseek`: the chat protocol with its differences. Source: api-docs.deepseek.com, "Create
// chat completion".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.deepseek.com/v1",
};

}  // namespace

const ProviderRow kDeepSeekProvider = {
    .name = "deepseek",
    .help = "models of DeepSeek",
    .example = "deepseek:deepseek-v4-flash",
    .max_in_flight = 10,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .base_url = kShape.base_url,
    .base_url_variable = "DEEPSEEK_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "DEEPSEEK_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
