// Parameters that a model does not take, learned from the reply that complains of them: newer models of the
// chat protocol refuse a temperature, or want the limit of tokens under its newer name. Pure.
// Source: spec blueprint 18.1; OpenAI API reference, "error codes".
#pragma once

#include <string>

#include "base/wire.h"

namespace assay {

struct Adaptation {
  bool without_temperature = false;
  bool completion_tokens = false;  // max_completion_tokens in place of max_tokens

  bool IsAny() const { return without_temperature || completion_tokens; }
  // Whether `other` asks for something that this does not do yet.
  bool Lacks(const Adaptation& other) const {
    return (other.without_temperature && !without_temperature) ||
           (other.completion_tokens && !completion_tokens);
  }
  void Add(const Adaptation& other) {
    without_temperature = without_temperature || other.without_temperature;
    completion_tokens = completion_tokens || other.completion_tokens;
  }
};

// Nothing unless the reply has status 400 and says that the service does not support the parameter at all: a
// value that is merely wrong stays an error.
Adaptation LearnFrom(const HttpReply& reply);
// Changes the body of a request accordingly; a body without the parameter stays as it is.
void Adapt(const Adaptation& adaptation, HttpRequest& request);
// "without temperature, with max_completion_tokens"
std::string AdaptationText(const Adaptation& adaptation);

}  // namespace assay
