// The provider `groq`: the chat protocol with its differences. Source: console.groq.com, "OpenAI
// compatibility".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kGroqShape = {
    .base_url = "https://api.groq.com/openai/v1",
};

}  // namespace

const ProviderRow kGroqProvider = ChatProvider<kGroqShape>({
    .name = "groq",
    .help = "open models, served by Groq",
    .example = "groq:llama-3.3-70b-versatile",
    .max_in_flight = 10,
    .base_url_variable = "GROQ_BASE_URL",
    .key_variable = "GROQ_API_KEY",
});

}  // namespace assay
