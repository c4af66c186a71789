// The provider `groq`: the chat protocol with its differences. Source: console.groq.com, "OpenAI
// compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "https://api.groq.com/openai/v1",
};

}  // namespace

const ProviderRow kGroqProvider = {
    .name = "groq",
    .help = "open models, served by Groq",
    .example = "groq:llama-3.3-70b-versatile",
    .max_in_flight = 10,
    .encode_known = EncodeChatAs<kShape>,
    .decode = DecodeChatAs<kShape>,
    .classify = ClassifyByStatus,
    .stream = StreamChat,
    .base_url = kShape.base_url,
    .base_url_variable = "GROQ_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "GROQ_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
