// Adaptation: how a request is changed for a model that does not take some parameters: known from the table
// of models before it is asked, or learned from the reply that complains. Pure.
// Sources: spec blueprint 18.1; the error pages of OpenAI, Anthropic, Google, Mistral (422
// "extra_forbidden"), xAI and Groq.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/wire/wire.h"
#include "providers/facts/model_facts.h"
#include "spec/exchange/request.h"

namespace assay {

struct Adaptation {
  bool without_temperature = false;
  bool without_top_p = false;
  bool without_top_k = false;
  bool without_seed = false;
  bool one_of_two = false;         // no top_p beside a temperature
  bool completion_tokens = false;  // max_completion_tokens in place of max_tokens
  bool without_stream_options = false;
  bool without_stream = false;  // the reply comes whole
  bool without_include = false;
  std::int64_t output_most = 0;  // tokens of a reply, as its service states them; 0: it has stated none
  // What else a user sends: `stop`, `reasoning_effort`, names of `parameters:`.
  std::vector<std::string> without = {};

  bool IsAny() const { return Adaptation().Lacks(*this); }
  // Whether `other` asks for something that this does not do yet.
  bool Lacks(const Adaptation& other) const;
  void Add(const Adaptation& other);
};

// What the model's row excludes beside these parameters.
Adaptation AdaptationOf(const ModelFacts& facts, const SamplingParams& params);
// What of them it excludes: "temperature, top_p"; "" if nothing.
std::string LeftOutParameters(const ModelFacts& facts, const SamplingParams& params);

// Nothing unless the service says that it does not take a parameter at all, with status 400 or 422 or as an
// error in place of a stream: a value that is merely wrong stays an error. `custom`: what a suite says of its
// own model (ModelRef::custom), which may rename parameters. `params`: what was asked with.
Adaptation LearnFrom(const HttpReply& reply, const Value& custom = {}, const SamplingParams& params = {});
// Changes the body of a request accordingly; a body without the parameter stays as it is.
void Adapt(const Adaptation& adaptation, HttpRequest& request, const Value& custom = {});
// "without temperature, with max_completion_tokens"
std::string AdaptationText(const Adaptation& adaptation);

}  // namespace assay
