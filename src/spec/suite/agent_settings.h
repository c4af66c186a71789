// AgentSettings: how the research agent works in profiles that no program of the user's own answers; the part
// that all variants of a suite share, and the part of each variant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "spec/suite/model_ref.h"

namespace assay {

// Shortens what the agent's model is to read.
struct Summarizer : ModelRef {
  std::string alias = {};     // as rows name it
  std::string model_id = {};  // "openai:gpt-4o-mini"
  SamplingParams params = {};
  std::int64_t context_tokens = 32'000;
};

struct AgentSettings {
  std::optional<Summarizer> summarizer = {};  // absent: each variant's own model does it
  std::string search_url = {};                // of a SearXNG server; "": web_search says that there is none
  bool original_calls = false;    // calls written as text and addresses are read with the original's faults
  std::int64_t page_timeout_ms = 20'000;    // of one request of a tool for a page
  std::int64_t search_timeout_ms = 20'000;  // of one request to the search server
};

// Where a turn is stopped with what it has; of its exchanges, so that a replay stops at the same place.
struct TurnLimits {
  std::optional<double> seconds = {};  // that its exchanges took
  std::optional<std::int64_t> tokens = {};
  std::optional<double> usd = {};  // needs AgentModel's prices
};

// A variant's model, as the agent has to know it.
struct AgentModel {
  std::int64_t context_tokens = 32'000;
  std::uint32_t max_turns = 20;  // requests with tools before the answer is demanded
  bool shortlist = true;         // pages may be looked for before the model is asked
  TurnLimits limits = {};
  // Where `limits` has dollars; 0: no price is known.
  double usd_per_input_token = 0;
  double usd_per_output_token = 0;
};

}  // namespace assay
