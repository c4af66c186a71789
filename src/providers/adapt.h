// Parameters that a model does not take, learned from the reply that complains of them: newer models of the
// chat protocol refuse a temperature, or want the limit of tokens under its newer name; some services do not
// count the tokens of a stream on request, or do not stream some models. Pure.
// Source: spec blueprint 18.1; OpenAI API reference, "error codes"; Mistral's 422 "extra_forbidden".
#pragma once

#include <string>

#include "base/wire.h"

namespace assay {

struct Adaptation {
  bool without_temperature = false;
  bool completion_tokens = false;  // max_completion_tokens in place of max_tokens
  bool without_stream_options = false;
  bool without_stream = false;  // the reply comes whole

  bool IsAny() const { return Adaptation().Lacks(*this); }
  // Whether `other` asks for something that this does not do yet.
  bool Lacks(const Adaptation& other) const;
  void Add(const Adaptation& other);
};

// Nothing unless the reply has status 400 (or 422, of stream_options) and says that the service does not
// support the parameter at all: a value that is merely wrong stays an error.
Adaptation LearnFrom(const HttpReply& reply);
// Changes the body of a request accordingly; a body without the parameter stays as it is.
void Adapt(const Adaptation& adaptation, HttpRequest& request);
// "without temperature, with max_completion_tokens"
std::string AdaptationText(const Adaptation& adaptation);

}  // namespace assay
