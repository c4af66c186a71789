// The provider `openrouter`. Its replies are not trimmed, and only it gets no limit of tokens unless one is
// set. Source: spec blueprint 18.7.
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kOpenRouterShape = {
    .base_url = "https://openrouter.ai/api/v1",
    .max_tokens = 0,
    .reasons_by_object = true,
    .keeps_blanks = true,
};

}  // namespace

const ProviderRow kOpenRouterProvider = ChatProvider<kOpenRouterShape>({
    .name = "openrouter",
    .help = "models of many makers, through OpenRouter",
    .example = "openrouter:openai/gpt-6-luna",
    .max_in_flight = 25,
    .base_url_variable = "OPENROUTER_BASE_URL",
    .key_variable = "OPENROUTER_API_KEY",
});

}  // namespace assay
