// How what is told of a run names whom a request asks.
#pragma once

#include <string>

#include "spec/exchange/request.h"

namespace assay {

// "openai:gpt-4o"; "a service" or "a program" for requests that go to no model.
std::string ModelNameOf(const Request& request);

}  // namespace assay
