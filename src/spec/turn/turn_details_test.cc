// Tests of what the events of a turn add up to.
#include "spec/turn/turn_details.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("starts and ends are paired by turn and call; what has no partner counts nothing") {
  const TurnEvents read = ReadTurnEvents({
      R"({"event":"llm_start","turn":1,"t_ms":0})",
      R"({"event":"tool_start","turn":1,"call_index":1,"t_ms":1,"tool_name":"search",)"
      R"("tool_arguments":"{\"q\":1}"})",
      R"({"event":"tool_start","turn":1,"call_index":2,"t_ms":2,"tool_name":"read",)"
      R"("tool_arguments":{"f":1.0}})",
      R"({"event":"tool_end","turn":1,"call_index":2,"t_ms":5})",
      R"({"event":"tool_end","turn":1,"call_index":7,"t_ms":6})",
      R"({"event":"llm_end","turn":1,"t_ms":10.5})",
      R"({"event":"llm_end","turn":2,"t_ms":11})",
      R"({"event":"stage_start","stage":"local_ingestion","t_ms":1})",
      R"({"event":"stage_end","stage":"local_ingestion","t_ms":4})",
      R"({"event":"stage_end","stage":"shortlist","t_ms":4})",
      "no JSON",
  });
  CHECK(read.models.pairs == 1);
  CHECK(read.models.total_ms == 10.5);
  CHECK(read.tools.pairs == 1);
  CHECK(read.tools.total_ms == 3);
  CHECK(read.local_ingestion.total_ms == 3);
  CHECK(read.shortlist.pairs == 0);
  REQUIRE(read.calls.size() == 2);
  CHECK(read.calls[0].call.arguments == R"({"q":1})");
  CHECK_FALSE(read.calls[0].took_ms);
  CHECK(read.calls[1].call.arguments == R"({"f": 1.0})");  // numbers keep their form
  CHECK(read.calls[1].took_ms == 3);
}

TEST_CASE("a call has the name that it gives, an empty one too; only one that gives none is unknown") {
  const TurnEvents read = ReadTurnEvents({
      R"({"event":"tool_start","turn":1,"call_index":1,"tool_name":""})",
      R"({"event":"tool_start","turn":1,"call_index":2})",
      R"({"event":"tool_start","turn":1,"call_index":3,"tool_name":null})",
      R"({"event":"tool_start","turn":1,"call_index":4,"tool_name":7})",
      R"({"event":"tool_start","turn":1,"call_index":5,"tool_name":"a|b"})",
  });
  std::vector<std::string> names;
  for (const auto& each : read.calls) names.push_back(each.call.name);
  CHECK(names == std::vector<std::string>{"", "unknown_tool", "None", "7", "a|b"});
}

TEST_CASE("times that run backwards are no time") {
  const TurnEvents read = ReadTurnEvents(
      {R"({"event":"llm_start","turn":1,"t_ms":9})", R"({"event":"llm_end","turn":1,"t_ms":3})"});
  CHECK(read.models.pairs == 1);
  CHECK(read.models.total_ms == 0);
}

TEST_CASE("details are stored and read back; hostile ones read as nothing") {
  TurnDetails details;
  details.events = {R"({"event":"status"})"};
  details.halted = true;
  details.usage_by_role = {{"main", {.input_tokens = 3, .output_tokens = 2, .known = true}}};
  details.error = TurnError{.name = "ValueError", .message = ""};
  const TurnDetails read = DecodeTurnDetails(EncodeTurnDetails(details));
  CHECK(read.events == details.events);
  CHECK(read.halted);
  CHECK_FALSE(read.halt_reason);
  CHECK(read.usage_by_role == details.usage_by_role);
  CHECK(read.error->Text() == "ValueError: ");
  for (const Value& value : {Value(), Value(7.0), Value("text"), Value(List{Value(1.0)})}) {
    CHECK_FALSE(DecodeTurnDetails(value).halted);
    CHECK_FALSE(TurnRaised(value));
  }
}

}  // namespace assay
