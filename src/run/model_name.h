// The name by which messages call whom a request asks: "openai:gpt-4o", "a service", "a program".
#pragma once

#include <string>

#include "spec/exchange/request.h"

namespace assay {

// "openai:gpt-4o"; "a service" or "a program" for requests that go to no model.
std::string ModelNameOf(const Request& request);

}  // namespace assay
