// Builds the JSON object of a trace: rounds, their calls, and the passages of these.
#include "report/values/traces.h"

#include "report/values/json.h"

namespace assay {

namespace {

List EvidenceValues(const std::vector<TraceEvidence>& evidence) {
  List list;
  for (const TraceEvidence& each : evidence) {
    Map map;
    map.Append("source", each.source);
    map.Append("relevance", each.relevance);
    map.Append("place", TextOrNull(each.place));
    list.emplace_back(std::move(map));
  }
  return list;
}

template <class Number>
Value OrNull(const std::optional<Number>& number) {
  return number ? Value(*number) : Value(Null{});
}

Value CallValue(const TraceCall& call, const ResultOfCall& result_of) {
  Map map;
  map.Append("tool", call.call.name);
  map.Append("arguments", call.call.arguments);
  map.Append("at_ms", OrNull(call.started_ms));
  map.Append("ms", OrNull(call.took_ms));
  map.Append("evidence", EvidenceValues(call.evidence));
  map.Append("problem", TextOrNull(call.problem));
  if (result_of) map.Append("result", result_of(call.call));
  return Value(std::move(map));
}

}  // namespace

Value TraceValue(const AttemptFacts& told, const ResultOfCall& result_of) {
  const TurnTrace trace = TraceOf(told);
  if (trace.empty()) return Value(Null{});
  List rounds;
  for (const TraceRound& round : trace.rounds) {
    Map map;
    map.Append("round", OrNull(round.number));
    map.Append("at_ms", OrNull(round.started_ms));
    map.Append("ms", OrNull(round.took_ms));
    map.Append("input_tokens", OrNull(round.input_tokens));
    map.Append("output_tokens", OrNull(round.output_tokens));
    List calls;
    for (const TraceCall& call : round.calls) calls.push_back(CallValue(call, result_of));
    map.Append("calls", std::move(calls));
    rounds.emplace_back(std::move(map));
  }
  Map value;
  value.Append("rounds", std::move(rounds));
  value.Append("gathered", EvidenceValues(trace.gathered));
  Map tokens;
  for (const auto& [role, usage] : trace.usage_by_role) {
    Map counts;
    counts.Append("input_tokens", usage.input_tokens);
    counts.Append("output_tokens", usage.output_tokens);
    tokens.Set(role, Value(std::move(counts)));
  }
  value.Append("tokens", std::move(tokens));
  Map times;
  for (const auto& [name, ms] : trace.timings_ms) times.Set(name, Value(ms));
  value.Append("timings_ms", std::move(times));
  return Value(std::move(value));
}

}  // namespace assay
