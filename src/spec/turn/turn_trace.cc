// Converts traces to their stored form and back: an attempt's events are its calls, one map each; rounds and
// what was gathered are members of its details.
#include "spec/turn/turn_trace.h"
#include "text/object.h"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

constexpr std::string_view kRounds = "rounds";
constexpr std::string_view kGathered = "gathered";

std::optional<double> NumberIn(const Value& owner, std::string_view name) {
  constexpr double kMost = 1e12;
  const std::optional<double> number = owner.NumberAt(name);
  return number && std::abs(*number) <= kMost ? number : std::nullopt;
}

std::optional<std::int64_t> CountIn(const Value& owner, std::string_view name) {
  const std::optional<double> number = NumberIn(owner, name);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

void AppendIfThere(Map& map, std::string_view name, std::optional<double> number) {
  if (number) map.Append(std::string(name), *number);
}

void AppendIfThere(Map& map, std::string_view name, std::optional<std::int64_t> number) {
  if (number) map.Append(std::string(name), *number);
}

List EvidenceList(const std::vector<TraceEvidence>& evidence) {
  return ArrayOf(evidence, [&](const TraceEvidence& each) {
    return Object{{"source", each.source}, {"relevance", each.relevance}, {"place", UnlessEmpty(each.place)}};
  });
}

Value EventOfCall(const TimedCall& timed) {
  Map event = Object{{"tool", timed.call.name}};
  AppendIfThere(event, "t_ms", timed.started_ms);
  AppendIfThere(event, "ms", timed.took_ms);
  AppendIfThere(event, "turn", timed.turn);
  Extend(event, {{"evidence", !timed.evidence.empty() ? Value(EvidenceList(timed.evidence)) : Value()},
                 {"problem", UnlessEmpty(timed.problem)}});
  return Value(std::move(event));
}

Value ValueOfRound(const TimedRound& round) {
  Map map = Object{{"turn", round.turn}};
  AppendIfThere(map, "t_ms", round.started_ms);
  AppendIfThere(map, "ms", round.took_ms);
  AppendIfThere(map, "input_tokens", round.input_tokens);
  AppendIfThere(map, "output_tokens", round.output_tokens);
  return Value(std::move(map));
}

TraceRound RoundFrom(const Value& stored) {
  return {.number = CountIn(stored, "turn"),
          .started_ms = NumberIn(stored, "t_ms"),
          .took_ms = NumberIn(stored, "ms"),
          .input_tokens = CountIn(stored, "input_tokens"),
          .output_tokens = CountIn(stored, "output_tokens"),
          .calls = {}};
}

TraceRound& RoundOf(std::optional<std::int64_t> number, std::vector<TraceRound>& rounds) {
  // Calls stand in order: theirs is the last round, or one near it.
  const auto found = std::find_if(rounds.rbegin(), rounds.rend(),
                                  [number](const TraceRound& round) { return round.number == number; });
  if (found != rounds.rend()) return *found;
  if (rounds.size() >= limits::kTracedRoundsMax) return rounds.back();
  return rounds.emplace_back(TraceRound{.number = number});
}

}  // namespace

void EncodeTrace(TurnEvents events, AttemptFacts& told, Map& details) {
  for (TimedCall& timed : events.calls) {
    told.events.push_back(EventOfCall(timed));
    told.tool_calls.push_back(std::move(timed.call));
  }
  Extend(details, {{kRounds, UnlessEmpty(ArrayOf(events.rounds, ValueOfRound))},
                   {kGathered, !events.gathered.empty() ? Value(EvidenceList(events.gathered)) : Value()}});
}

TurnTrace TraceOf(const AttemptFacts& told) {
  TurnTrace trace;
  trace.usage_by_role = told.usage_by_role;
  trace.timings_ms = told.timings_ms;
  if (told.details.is_map()) {
    trace.gathered = ReadEvidence(told.details.Find(kGathered));
    for (const Value& round : told.details.ListAt(kRounds)) {
      if (trace.rounds.size() < limits::kTracedRoundsMax) trace.rounds.push_back(RoundFrom(round));
    }
  }
  for (std::size_t i = 0; i < told.tool_calls.size(); ++i) {
    const Value event = i < told.events.size() ? told.events[i] : Value();
    RoundOf(CountIn(event, "turn"), trace.rounds)
        .calls.push_back({.call = told.tool_calls[i],
                          .started_ms = NumberIn(event, "t_ms"),
                          .took_ms = NumberIn(event, "ms"),
                          .evidence = ReadEvidence(event.Find("evidence")),
                          .problem = TracedText(event, "problem")});
  }
  return trace;
}

}  // namespace assay
