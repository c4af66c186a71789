// The provider `xai`: the chat protocol with its differences. Source: spec blueprint 18.6; docs.x.ai, "Chat
// completions", "Responses".
#include "providers/codecs/openai_responses.h"
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kXaiShape = {
    .base_url = "https://api.x.ai/v1",
    .ends = {.services = end_words::kChat | end_words::kXai},
};

}  // namespace

const ProviderRow kXaiProvider = {
    .name = "xai",
    .help = "models of xAI",
    .example = "xai:grok-4",
    .max_in_flight = 10,
    .encode_known = EncodeEither<kXaiShape>,
    .decode = DecodeEither<kXaiShape>,
    .classify = ClassifyByStatus,
    .stream = StreamEither,
    .base_url = kXaiShape.base_url,
    .base_url_variable = "XAI_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "XAI_API_KEY",
            .header = "authorization",
            .prefix = "Bearer "},
};

}  // namespace assay
