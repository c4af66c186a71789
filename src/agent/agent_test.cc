// What golden rows do not say of the turn's pure parts: limits, hostile texts, the forms that only we read.
#include <doctest/doctest.h>

#include <fmt/core.h>

#include "agent/addresses.h"
#include "agent/limits.h"
#include "agent/local_targets.h"
#include "agent/query.h"
#include "agent/reply_text.h"
#include "agent/text_calls.h"
#include "text/json/json.h"

namespace assay {
namespace {

std::string Printed(const std::vector<TextCall>& calls) {
  std::string out;
  for (const TextCall& call : calls) {
    out += fmt::format("{} {} {}; ", call.id, call.name,
                       WriteJson(Value(call.arguments), JsonStyle::kJavaScript));
  }
  return out;
}

TEST_CASE("closing tags of parameters stay in the value, or do not") {
  const std::string reply =
      "<tool_call>\n<function=f>\n<parameter=q>\ncrew "
      "size\n</parameter>\n<parameter=n>3</parameter>\n</function>\n"
      "</tool_call>";
  CHECK(Printed(FindTextCalls(reply, ParameterEnd::kDropped)) ==
        "xml_call_0 f {\"q\":\"crew size\",\"n\":\"3\"}; ");
  CHECK(FindTextCalls(reply, ParameterEnd::kKept)[0].arguments.Find("q")->AsString() ==
        "crew size\n</parameter>");
}

TEST_CASE("calls by address take one JSON object each") {
  CHECK(Printed(FindTextCalls(
            "to=functions.f {\"a\": \"} \\\" {\", \"b\": [1, {\"c\": 2}]} and to=functions.g\n{}",
            ParameterEnd::kKept)) == "call_0 f {\"a\":\"} \\\" {\",\"b\":[1,{\"c\":2}]}; call_1 g {}; ");
  CHECK(FindTextCalls("to=functions.f {\"a\": 1", ParameterEnd::kKept).empty());
}

TEST_CASE("calls are bounded, and a text full of openings is looked at once") {
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "<tool_call><function=f></tool_call>";
  CHECK(FindTextCalls(many, ParameterEnd::kKept).size() == limits::kTextCallsMax);
  std::string open;
  for (int i = 0; i < 200'000; ++i) open += "<tool_call>to=functions.f {";
  CHECK(FindTextCalls(open, ParameterEnd::kKept).empty());
  std::string parameters = "<tool_call><function=f>";
  for (int i = 0; i < 100'000; ++i) parameters += "<parameter=p" + std::to_string(i) + ">v";
  CHECK(FindTextCalls(parameters + "</tool_call>", ParameterEnd::kKept)[0].arguments.size() ==
        limits::kTextCallParametersMax);
  std::string thoughts;
  for (int i = 0; i < 200'000; ++i) thoughts += "<think>";
  CHECK(StripThinking(thoughts + "</think>x") == "x");
}

TEST_CASE("targets of a prompt are each taken once, and only so many") {
  CHECK(LocalTargets("/a /b /a").size() == 2);
  std::string many;
  for (int i = 0; i < 100; ++i) many += " /p" + std::to_string(i);
  CHECK(LocalTargets(many).size() == limits::kPromptTargetsMax);
  CHECK(RedactLocalTargets(many).empty());
}

TEST_CASE("addresses: mail, versions and words with dots inside are none") {
  CHECK(FindPromptAddresses("first.last@x.org, version 3.14, e.g. this").urls.empty());
  CHECK(FindPromptAddresses("HTTPS://A.B/c, a.b.example.com/x?y!").urls ==
        std::vector<std::string>{"HTTPS://A.B/c", "https://a.b.example.com/x?y"});
  CHECK(NormaliseUrl("https://h:443/a//?utm_source=x&b=1&FBCLID=2#f") == "https://h/a?b=1");
  CHECK(NormaliseUrl("ftp://h/a").empty());
  CHECK(NormaliseUrl("https:///a").empty());
}

TEST_CASE("a query expands by its most telling words, and a short one does not") {
  CHECK(ExpandQuery("What is X?").size() == 1);
  const std::vector<std::string> queries = ExpandQuery(
      "How often are irrigation valves inspected, and which irrigation records are kept for inspectors?");
  REQUIRE(queries.size() >= 2);
  CHECK(queries.size() <= limits::kExpandedQueriesMax);
  CHECK(queries[1] == "irrigation inspectors inspected");
  CHECK(queries == ExpandQuery(queries[0]));
}

TEST_CASE("tokens are estimated by characters, lists by their JSON") {
  Map message;
  message.Append("content", List{Value(Map()), Value(true), Value(1.5), Value("\xf0\x9f\x98\x80\n")});
  // [{}, true, 1.5, "\ud83d\ude00\n"]: 33 characters.
  CHECK(EstimateTokens({Value(message)}) == 8);
}

}  // namespace
}  // namespace assay
