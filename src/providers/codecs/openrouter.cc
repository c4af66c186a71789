// The provider `openrouter`. Its replies are not trimmed, and only it gets no limit of tokens unless one is
// set. Source: spec blueprint 18.7.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://openrouter.ai/api/v1",
    .max_tokens = 0,
    .reasons_by_object = true,
    .keeps_blanks = true,
};

}  // namespace

const ProviderRow kOpenRouterProvider = {
    .name = "openrouter",
    .help = "models of many makers, through OpenRouter",
    .example = "openrouter:openai/gpt-4.1-mini",
    .max_in_flight = 25,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .base_url = kShape.base_url,
    .base_url_variable = "OPENROUTER_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "OPENROUTER_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
    .max_tokens = kShape.max_tokens,
};

}  // namespace assay
