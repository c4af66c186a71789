// The provider `perplexity`: the chat protocol with its differences. Source: docs.perplexity.ai, "Chat
// completions".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kPerplexityShape = {
    .base_url = "https://api.perplexity.ai",
};

}  // namespace

const ProviderRow kPerplexityProvider = ChatProvider<kPerplexityShape>({
    .name = "perplexity",
    .help = "models of Perplexity, which search the web",
    .example = "perplexity:sonar",
    .max_in_flight = 10,
    .base_url_variable = "PERPLEXITY_BASE_URL",
    .key_variable = "PERPLEXITY_API_KEY",
    .stream = StreamChatUncounted,
});

}  // namespace assay
