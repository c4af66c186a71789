// TurnDetails: what a system under test tells of one turn beside its answer and token counts (the `details`
// of its reply), and what of it becomes facts of the attempt. Source of the terms: spec research 6 and 10.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/score/score.h"
#include "text/value.h"

namespace assay {

struct TurnError {
  std::string name;  // of its class: "TimeoutError"
  std::string message;
  std::string Text() const;  // "TimeoutError: no answer"
};

struct TurnDetails {
  std::vector<std::string> events;  // the lines of JSON as they came: numbers keep their form
  bool halted = false;
  std::optional<std::string> halt_reason;
  std::vector<std::string> notices;
  Value tool_usage;                                          // a map of name to count; undefined: not told
  std::vector<std::pair<std::string, Usage>> usage_by_role;  // "main", "summarizer"
  std::vector<std::pair<std::string, std::string>> role_aliases;  // whose model each role is: {"main", "gf"}
  std::optional<double> client_init_ms;
  std::optional<TurnError> error;  // the turn ended by it
};

// The stored form, a map. What is absent, or of another kind, reads as its default.
Value EncodeTurnDetails(const TurnDetails& details);
TurnDetails DecodeTurnDetails(const Value& value);
// DecodeTurnDetails(value).error, without the rest.
bool TurnRaised(const Value& details);

// {role: {input_tokens, output_tokens}}, as programs tell it; counts that are none are 0.
std::vector<std::pair<std::string, Usage>> ReadRoleUsage(const Value* told);

// What events say of times: pairs of starts and ends, each by its key; a start without an end counts nothing,
// nor does an end without a start.
struct EventTimes {
  double total_ms = 0;
  std::int64_t pairs = 0;
};

namespace limits {
inline constexpr std::size_t kTracedEvidenceMax = 20;         // passages of one call
inline constexpr std::size_t kTracedTurnEvidenceMax = 1'000;  // passages of one turn
inline constexpr std::size_t kTracedTextBytesMax = 300;       // of a source's name, a place, a problem
inline constexpr std::size_t kTracedRoundsMax = 1'000;        // of one turn
}  // namespace limits

// A passage that a model was shown.
struct TraceEvidence {
  std::string source;     // "corpus://cache/1", or a page's address
  std::string relevance;  // "0.412"
  std::string place;      // "handbook.pdf, page 3"; "" if nobody said
};

// A tool that was called: when, on the system's own clock, and for how long.
struct TimedCall {
  ToolCall call;  // arguments: the text that was told, or JSON of what was no text; "": none
  std::optional<double> started_ms;
  std::optional<double> took_ms;             // absent: it never ended
  std::optional<std::int64_t> turn = {};     // of the model's request that came before it
  std::vector<TraceEvidence> evidence = {};  // what it showed
  std::string problem = {};                  // why it showed nothing; "": nobody said so
};

// A model's request, the first end of its number.
struct TimedRound {
  std::int64_t turn = 0;
  std::optional<double> started_ms = {};
  std::optional<double> took_ms = {};  // absent: it never ended
  std::optional<std::int64_t> input_tokens = {};
  std::optional<std::int64_t> output_tokens = {};
};

// What the events of a turn come to; lines that are none are left out.
struct TurnEvents {
  EventTimes models;           // llm_start … llm_end, by turn
  EventTimes tools;            // tool_start … tool_end, by turn and call
  EventTimes local_ingestion;  // stage_start … stage_end
  EventTimes shortlist;
  std::vector<TimedCall> calls;         // in order
  std::vector<TimedRound> rounds;       // in order
  std::vector<TraceEvidence> gathered;  // shown before the model was asked: events "evidence"
};
TurnEvents ReadTurnEvents(const std::vector<std::string>& events);
// [{source, relevance, place}]: texts alone, cut; the first limits::kTracedEvidenceMax.
std::vector<TraceEvidence> ReadEvidence(const Value* list);
// A text member, cut to limits::kTracedTextBytesMax; "" if it is none.
std::string TracedText(const Value& owner, std::string_view name);

// Of a graded attempt whose turn stopped before its end: why, "None" if nobody said. Nothing if it did not.
std::optional<std::string> HaltOf(const AttemptFacts& told);

}  // namespace assay
