// The provider `azure-openai`, by the version-free interface (…/openai/v1): the model is the name of a
// deployment. Source: learn.microsoft.com, "Azure OpenAI v1 API".
#include "providers/chat.h"
#include "providers/rows.h"

namespace assay {
namespace {

constexpr ChatShape kShape = {
    .base_url = "",
    .thinkers = kOpenAiThinkers,
    .dimensions = ChatShape::Dimensions::kByModel,
};

}  // namespace

const ProviderRow kAzureOpenAiProvider = {
    .name = "azure-openai",
    .help = "deployments at Azure OpenAI; the URL of the resource, with /openai/v1, by --base-url",
    .example = "azure-openai:my-deployment",
    .max_in_flight = 20,
    .encode = EncodeChatAs<kShape>,
    .decode = DecodeChat,
    .classify = ClassifyChat,
    .stream = StreamChat,
    .encode_embedding = EncodeEmbeddingsAs<kShape>,
    .decode_embedding = DecodeEmbeddings,
    .base_url_variable = "AZURE_OPENAI_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "AZURE_OPENAI_API_KEY",
            .header = "api-key",
            .prefix = ""},
};

}  // namespace assay
