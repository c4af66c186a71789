// Makes the name of a request's model, service or program.
#include "run/model_name.h"

#include <fmt/core.h>

namespace assay {

std::string ModelNameOf(const Request& request) {
  if (const auto* model = std::get_if<ModelRequest>(&request))
    return fmt::format("{}:{}", model->provider, model->model);
  if (const auto* embed = std::get_if<EmbedRequest>(&request))
    return fmt::format("{}:{}", embed->provider, embed->model);
  if (std::holds_alternative<CorpusRequest>(request)) return "the documents";
  return std::holds_alternative<HttpRequest>(request) ? "a service" : "a program";
}

}  // namespace assay
