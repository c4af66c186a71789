// The provider `deepseek`: the chat protocol with its differences. Source: api-docs.deepseek.com, "Create
// chat completion".
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"

namespace assay {
namespace {

constexpr ChatShape kDeepSeekShape = {
    .base_url = "https://api.deepseek.com/v1",
};

}  // namespace

const ProviderRow kDeepSeekProvider = ChatProvider<kDeepSeekShape>({
    .name = "deepseek",
    .help = "models of DeepSeek",
    .example = "deepseek:deepseek-v4-flash",
    .max_in_flight = 10,
    .base_url_variable = "DEEPSEEK_BASE_URL",
    .key_variable = "DEEPSEEK_API_KEY",
});

}  // namespace assay
