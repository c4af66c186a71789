// Makes the request of a service that templates describe: promptfoo's `http` provider.
//   config  url, method, headers, body (an object, a list or a text), queryParams; or request, a whole
//           request as HTTP writes it, with useHttps. transformRequest makes something else of the prompt
//   source  promptfoo 0.121 (spec: promptfoo 4.1)
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/wire/wire.h"
#include "spec/exchange/request.h"
#include "text/script/script.h"
#include "text/value.h"

namespace assay {

// Fills a template in.
using FillIn = std::function<Result<std::string>(std::string_view text, const Map& variables)>;

struct TemplateCall {
  const Value& config;
  std::string_view id;  // of the provider: an address, where the config has none
  std::string prompt;
  const Map& variables;  // of the case
  const FillIn& fill_in;
  ScriptWorld world = {};
};

// Why no request can be made of the config, whatever the variables are: a sentence; "" if one can.
std::string ConfigProblem(const Value& config, std::string_view id);
// Errors name the member of the config that they come from.
Result<HttpRequest> RequestOfTemplates(const TemplateCall& call);
// Absent: the run's own.
std::optional<RetryRule> RetryOfConfig(const Value& config);

}  // namespace assay
