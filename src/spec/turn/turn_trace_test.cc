// Tests of traces: rounds, calls and evidence in events are kept and read back; what is malformed is left
// out.
#include "spec/turn/turn_trace.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace assay {
namespace {

AttemptFacts FactsOf(const std::vector<std::string>& events) {
  AttemptFacts told;
  Map details;
  EncodeTrace(ReadTurnEvents(events), told, details);
  told.details = Value(std::move(details));
  return told;
}

TEST_CASE("rounds hold their calls, calls their passages") {
  const TurnTrace trace = TraceOf(FactsOf({
      R"({"event":"evidence","evidence":[{"source":"corpus://cache/1","relevance":"0.4","place":"a.txt"}]})",
      R"({"event":"llm_start","turn":1,"t_ms":5})",
      R"({"event":"llm_end","turn":1,"t_ms":25,"input_tokens":100,"output_tokens":10})",
      R"({"event":"tool_start","turn":1,"call_index":1,"tool_name":"a","tool_arguments":{"q":1},"t_ms":25})",
      R"({"event":"tool_end","turn":1,"call_index":1,"t_ms":28,"evidence":[{"source":"s"},7]})",
      R"({"event":"tool_start","turn":1,"call_index":2,"tool_name":"b","t_ms":28})",
      R"({"event":"tool_end","turn":1,"call_index":2,"t_ms":28,"problem":"There is none."})",
      R"({"event":"llm_start","turn":2,"t_ms":28})",
      R"({"event":"tool_start","call_index":1,"tool_name":"c"})",
  }));
  REQUIRE(trace.gathered.size() == 1);
  CHECK(trace.gathered[0].place == "a.txt");
  REQUIRE(trace.rounds.size() == 3);
  const TraceRound& first = trace.rounds[0];
  CHECK(first.number == 1);
  CHECK(first.took_ms == 20);
  CHECK(first.input_tokens == 100);
  CHECK(first.output_tokens == 10);
  REQUIRE(first.calls.size() == 2);
  CHECK(first.calls[0].call.arguments == R"({"q": 1})");
  CHECK(first.calls[0].took_ms == 3);
  REQUIRE(first.calls[0].evidence.size() == 1);
  CHECK(first.calls[0].evidence[0].source == "s");
  CHECK(first.calls[1].problem == "There is none.");
  CHECK_FALSE(trace.rounds[1].took_ms);  // it never ended
  CHECK_FALSE(trace.rounds[2].number);   // nobody said whose call it is
  CHECK(trace.rounds[2].calls[0].call.name == "c");
}

TEST_CASE("a trace has an end, whatever a program tells") {
  std::vector<std::string> events;
  const std::string passages = [] {
    std::string list;
    for (int i = 0; i < 100; ++i)
      list += fmt::format(R"({}{{"source":"{}"}})", i == 0 ? "" : ",", std::string(1'000, 'x'));
    return list;
  }();
  for (int turn = 1; turn <= 1'200; ++turn) {
    events.push_back(fmt::format(R"({{"event":"llm_start","turn":{}}})", turn));
    events.push_back(fmt::format(R"({{"event":"llm_end","turn":{}}})", turn));
    events.push_back(fmt::format(R"({{"event":"tool_start","turn":{},"call_index":1}})", turn));
    events.push_back(
        fmt::format(R"({{"event":"tool_end","turn":{},"call_index":1,"evidence":[{}]}})", turn, passages));
  }
  const TurnTrace trace = TraceOf(FactsOf(events));
  CHECK(trace.rounds.size() == limits::kTracedRoundsMax);
  std::size_t shown = 0;
  std::size_t calls = 0;
  for (const TraceRound& round : trace.rounds) {
    calls += round.calls.size();
    for (const TraceCall& call : round.calls) {
      CHECK(call.evidence.size() <= limits::kTracedEvidenceMax);
      shown += call.evidence.size();
      for (const TraceEvidence& each : call.evidence)
        CHECK(each.source.size() == limits::kTracedTextBytesMax);
    }
  }
  CHECK(shown == limits::kTracedTurnEvidenceMax);
  CHECK(calls == 1'200);
}

TEST_CASE("facts of older runs have calls alone, and a bare model has nothing") {
  AttemptFacts told;
  CHECK(TraceOf(told).empty());
  told.tool_calls = {{"", "search", "{}"}};
  const TurnTrace trace = TraceOf(told);
  REQUIRE(trace.rounds.size() == 1);
  CHECK_FALSE(trace.rounds[0].number);
  told.events = {Value(7)};
  told.details = Value("text");
  CHECK(TraceOf(told).rounds[0].calls.size() == 1);
}

}  // namespace
}  // namespace assay
