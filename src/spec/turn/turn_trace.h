// TurnTrace: the rounds of a turn, the tools of each, the passages that they showed, tokens and times, as an
// attempt's facts have them. Texts of a model or program are as they came, cut where they get long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/score/score.h"
#include "spec/turn/turn_details.h"

namespace assay {

struct TraceCall {
  ToolCall call;
  std::optional<double> started_ms;
  std::optional<double> took_ms;
  std::vector<TraceEvidence> evidence;
  std::string problem;  // why it gave nothing; "" if it did, or nobody said
};

struct TraceRound {
  std::optional<std::int64_t> number = {};  // absent: calls of which nobody said to which request they belong
  std::optional<double> started_ms = {};
  std::optional<double> took_ms = {};  // of the model's request
  std::optional<std::int64_t> input_tokens = {};
  std::optional<std::int64_t> output_tokens = {};
  std::vector<TraceCall> calls = {};
};

struct TurnTrace {
  std::vector<TraceEvidence> gathered;  // before the model was asked
  std::vector<TraceRound> rounds;
  std::vector<std::pair<std::string, Usage>> usage_by_role;
  std::vector<std::pair<std::string, double>> timings_ms;
  bool empty() const { return rounds.empty() && gathered.empty(); }
};

// What EncodeTrace put into the facts, their calls and their counts. Facts of older runs, and of programs
// that tell less, give what they have.
TurnTrace TraceOf(const AttemptFacts& told);
// Calls with their events, and the rounds of the details.
void EncodeTrace(TurnEvents events, AttemptFacts& told, Map& details);
}  // namespace assay
