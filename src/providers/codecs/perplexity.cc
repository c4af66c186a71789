// The provider `perplexity`: the chat protocol with its differences. Source: docs.perplexity.ai, "Chat
// completions".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.perplexity.ai",
};

}  // namespace

const ProviderRow kPerplexityProvider = {
    .name = "perplexity",
    .help = "models of Perplexity, which search the web",
    .example = "perplexity:sonar",
    .max_in_flight = 10,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChatUncounted,
    .base_url = kShape.base_url,
    .base_url_variable = "PERPLEXITY_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "PERPLEXITY_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
