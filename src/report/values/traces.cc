// Builds the JSON object of a trace: rounds, their calls, and the passages of these.
#include "report/values/traces.h"

#include "report/values/json.h"
#include "text/object.h"

namespace assay {

namespace {

List EvidenceValues(const std::vector<TraceEvidence>& evidence) {
  return ArrayOf(evidence, [&](const TraceEvidence& each) {
    return Object{{"source", each.source}, {"relevance", each.relevance}, {"place", TextOrNull(each.place)}};
  });
}

Value CallValue(const TraceCall& call, const ResultOfCall& result_of) {
  return Object{{"tool", call.call.name},
                {"arguments", call.call.arguments},
                {"at_ms", OrNull(call.started_ms)},
                {"ms", OrNull(call.took_ms)},
                {"evidence", EvidenceValues(call.evidence)},
                {"problem", TextOrNull(call.problem)},
                {"result", result_of ? Value(result_of(call.call)) : Value()}};
}

}  // namespace

Value TraceValue(const AttemptFacts& told, const ResultOfCall& result_of) {
  const TurnTrace trace = TraceOf(told);
  if (trace.empty()) return Value(Null{});
  Map tokens;
  for (const auto& [role, usage] : trace.usage_by_role) {
    tokens.Set(role, Object{{"input_tokens", usage.input_tokens}, {"output_tokens", usage.output_tokens}});
  }
  Map times;
  for (const auto& [name, ms] : trace.timings_ms) times.Set(name, Value(ms));
  return Object{{"rounds", ArrayOf(trace.rounds,
                                   [&](const TraceRound& round) {
                                     return Object{{"round", OrNull(round.number)},
                                                   {"at_ms", OrNull(round.started_ms)},
                                                   {"ms", OrNull(round.took_ms)},
                                                   {"input_tokens", OrNull(round.input_tokens)},
                                                   {"output_tokens", OrNull(round.output_tokens)},
                                                   {"calls", ArrayOf(round.calls, [&](const TraceCall& call) {
                                                      return CallValue(call, result_of);
                                                    })}};
                                   })},
                {"gathered", EvidenceValues(trace.gathered)},
                {"tokens", std::move(tokens)},
                {"timings_ms", std::move(times)}};
}

}  // namespace assay
