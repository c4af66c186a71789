// ModelRef and SamplingParams: which model a call asks and with which parameters; shared by variants, judges,
// embedders and requests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/span.h"
#include "text/value.h"

namespace assay {

struct ModelRef {
  std::string provider;  // row in providers/table.cc: "openai"
  std::string model;     // the provider's name of the model: "gpt-4o"
  std::string base_url;  // "" for the provider's own
  Value custom;          // a model that the suite describes itself: its object, as written; else undefined
  Span span = {};        // where the suite names the model; nowhere if the user does
};

// How hard a model thinks before it answers, from not at all to as hard as it can.
inline constexpr std::array<std::string_view, 7> kEfforts = {"none", "minimal", "low", "medium",
                                                             "high", "xhigh",   "max"};

// Absent parameters are not sent; all that are there enter the key (request.cc).
struct SamplingParams {
  std::optional<double> temperature = {};
  std::optional<double> top_p = {};
  std::optional<std::int64_t> max_tokens = {};
  std::optional<std::int64_t> seed = {};
  std::vector<std::string> stop = {};
  std::string effort = {};                           // one of kEfforts; "": the model's own
  std::optional<std::int64_t> thinking_tokens = {};  // that it may think, before and beside its answer
  // A map of what else is sent as it stands, in its order and behind everything else; undefined: nothing.
  Value extra = {};
  bool limit_is_default = false;                     // nobody wrote max_tokens: thinkers may get more room
  bool shows_thoughts = false;                       // its service is asked to tell what it thought
};

// The members of a request's canonical form that say the parameters: `,"temperature":0,"max_tokens":500`.
std::string CanonicalParams(const SamplingParams& params);

}  // namespace assay
