// The provider `azure-openai`: the model is the name of a deployment. By the version-free interface
// (…/openai/v1), or, where the URL says ?api-version=, by the older one, in which the deployment is a part of
// the URL.
//
// Sources: learn.microsoft.com, "Azure OpenAI v1 API", "API version lifecycle"; the URLs of OpenAI's own
// client for Azure.
#include <fmt/core.h>

#include <algorithm>

#include "providers/codecs/openai_responses.h"
#include "providers/codecs/rows.h"
#include "providers/shapes/chat.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/reply/status.h"

namespace assay {
namespace {

constexpr ChatShape kAzureOpenAiShape = {
    .base_url = "",
    .thinkers = kOpenAiThinkers,
    .dimensions = ChatShape::Dimensions::kByModel,
};

// The URL with the model's deployment where it names an API version and none of the two forms already.
std::string BaseUrlFor(std::string_view base_url, std::string_view model) {
  const std::size_t mark = base_url.find('?');
  const std::string_view path = base_url.substr(0, mark);
  const bool has_version =
      mark != std::string_view::npos && base_url.substr(mark).find("api-version=") != std::string_view::npos;
  const bool is_complete = path.find("/deployments/") != std::string_view::npos ||
                           path.find("/openai/v1") != std::string_view::npos;
  if (!has_version || is_complete) return std::string(base_url);
  const bool names_service = path.find("/openai") != std::string_view::npos;
  return UrlOf(base_url, fmt::format("{}/deployments/{}", names_service ? "" : "/openai", PathPart(model)));
}

template <class Request>
Request Addressed(const Request& request) {
  Request addressed = request;
  if (!request.base_url.empty()) addressed.base_url = BaseUrlFor(request.base_url, request.model);
  return addressed;
}

// The older interface names the model in the body there, and no deployment in the URL.
std::string ResponsesBaseUrl(std::string_view base_url) {
  const std::size_t mark = std::min(base_url.find('?'), base_url.size());
  std::string_view path = base_url.substr(0, mark);
  path = path.substr(0, path.find("/deployments/"));
  const std::string whole = std::string(path) + std::string(base_url.substr(mark));
  const bool names_service = mark == base_url.size() || path.find("/openai") != std::string_view::npos;
  return names_service ? whole : UrlOf(whole, "/openai");
}

Result<HttpRequest> EncodeAzureOpenAi(const ModelRequest& request, const ModelFacts* facts) {
  const bool by_responses = IsAskedByResponses(request, facts) && !request.base_url.empty();
  if (!by_responses) return EncodeChat(kAzureOpenAiShape, Addressed(request), facts);
  ModelRequest addressed = request;
  addressed.base_url = ResponsesBaseUrl(request.base_url);
  return EncodeResponses(kAzureOpenAiShape.base_url, addressed, facts);
}
Result<HttpRequest> EncodeAzureOpenAiEmbedding(const EmbedRequest& request) {
  return EncodeEmbeddings(kAzureOpenAiShape, Addressed(request));
}

}  // namespace

const ProviderRow kAzureOpenAiProvider = {
    .name = "azure-openai",
    .help = "deployments at Azure OpenAI; set the URL of the resource, with /openai/v1, by --base-url",
    .example = "azure-openai:my-deployment",
    .max_in_flight = 20,
    .encode_known = EncodeAzureOpenAi,
    .decode = DecodeEither<kAzureOpenAiShape>,
    .classify = ClassifyByStatus,
    .stream = StreamEither,
    .encode_embedding = EncodeAzureOpenAiEmbedding,
    .decode_embedding = DecodeEmbeddings,
    .base_url_variable = "AZURE_OPENAI_BASE_URL",
    .key = {.need = KeyRule::Need::kRequired,
            .variables = "AZURE_OPENAI_API_KEY",
            .header = "api-key",
            .prefix = ""},
};

}  // namespace assay
