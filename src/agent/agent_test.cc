// Tests of the research agent's pure parts beyond the golden rows: limits, hostile texts, and the forms that
// only assay reads.
#include <doctest/doctest.h>

#include <fmt/core.h>

#include <algorithm>

#include "agent/limits.h"
#include "agent/tool.h"
#include "agent/web/addresses.h"
#include "agent/web/local_targets.h"
#include "agent/web/shortlist.h"
#include "agent/words/query.h"
#include "agent/words/reply_text.h"
#include "agent/words/status_block.h"
#include "agent/words/text_calls.h"
#include "spec/turn/tool_names.h"
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

TEST_CASE("targets are words that look like paths, whatever stands around them") {
  struct Row {
    std::string_view prompt;
    std::vector<std::string> targets;
    std::string_view rest;
  };
  const Row rows[] = {{"read \"/docs/a b.txt\", then ./c.md!", {"/docs/a b.txt", "./c.md"}, "read then"},
                      {"read \"/docs/a b.txt\" now", {"/docs/a b.txt"}, "read now"},
                      // An odd apostrophe: quotes part nothing any more.
                      {"the master's /docs/a.txt", {"/docs/a.txt"}, "the master's"},
                      {"ratio 3:1 and N: none", {"3:1"}, "ratio and N: none"},
                      {"file:///x local://y ~/z ../w", {"file:///x", "local://y", "~/z"}, "../w"}};
  for (const Row& row : rows) {
    CAPTURE(row.prompt);
    CHECK(LocalTargets(row.prompt) == row.targets);
    CHECK(RedactLocalTargets(row.prompt) == row.rest);
  }
}

TEST_CASE("questions are classed by their words and by the number of documents") {
  struct Row {
    std::string_view query;
    std::size_t documents;
    QueryMode mode;
    double confidence;
  };
  const Row rows[] = {{"give me an overview of the rules", 2, QueryMode::kOneShot, 0.95},
                      {"give me an overview of the rules", 0, QueryMode::kResearch, 1.0},
                      {"give me an overview of the rules", 30, QueryMode::kResearch, 0.95},
                      {"which rule names the harbour master", 2, QueryMode::kResearch, 0.7},
                      {"hm?", 2, QueryMode::kResearch, 0.8}};
  for (const Row& row : rows) {
    CAPTURE(row.query);
    const QueryClass found = ClassifyQuery(row.query, row.documents);
    CHECK((found.mode == row.mode));
    CHECK(found.confidence == row.confidence);
    CHECK_FALSE(found.reason.empty());
  }
  CHECK((ShortlistIntentOf("what do the attached files say") == ShortlistIntent::kLocal));
  CHECK((ShortlistIntentOf("today's news") == ShortlistIntent::kWeb));
  CHECK((ShortlistIntentOf("news in these documents") == ShortlistIntent::kAmbiguous));
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

TEST_CASE("candidates are merged in turns, each once") {
  const std::vector<std::string> seeds = {"https://A.org/x/", "file:///etc/passwd"};
  const std::vector<std::string> links = {"https://a.org/x", "https://a.org/1", "https://a.org/2"};
  const std::vector<std::string> results = {"https://b.org/?utm_source=q", "https://b.org"};
  CHECK(MergeCandidates({.seeds = seeds, .links = links, .results = results}) ==
        std::vector<std::string>{"https://a.org/x", "https://b.org/", "https://a.org/1", "https://a.org/2"});
  std::vector<std::string> many;
  for (int i = 0; i < 500; ++i) many.push_back("https://c.org/" + std::to_string(i));
  CHECK(MergeCandidates({.seeds = {}, .links = many, .results = {}}).size() ==
        limits::kShortlistCandidatesMax);
}

TEST_CASE("pages are weighed by their words, place and length") {
  const auto page = [](std::string url, std::string words, std::size_t size) {
    while (words.size() < size) words += " filler";
    return FetchedPage{std::move(url), std::move(words)};
  };
  const std::vector<FetchedPage> pages = {
      page("https://a.org/login", "ladder rules", 800), page("https://a.org/long", "ladder rules", 800),
      page("https://b.org/long", "ladder rules", 800),  page("https://b.org/short", "ladder rules", 400),
      page("https://b.org/tiny", "ladder rules", 20),   page("https://b.org/seed", "ladder rules", 20),
      page("https://b.org/none", "other words", 800)};
  const std::vector<std::string> queries = {"unrelated question", "ladder rules"};
  const std::vector<std::string> keyphrases = {"Ladder"};
  const std::vector<std::string> seeds = {"https://a.org/"};
  const std::vector<ShortlistedPage> ranked = RankShortlist(
      pages, {.queries = queries, .keyphrases = keyphrases, .seeds = seeds}, FindEmbedder("none"));
  std::vector<std::size_t> order;
  for (const ShortlistedPage& entry : ranked) order.push_back(entry.page);
  CHECK(order == std::vector<std::size_t>{1, 2, 0, 3, 6});
  CHECK(ranked[0].score == doctest::Approx(1.15));
  CHECK(ranked[0].similarity == 1.0);
  const std::vector<ShortlistedPage> embedded =
      RankShortlist(pages, {.queries = queries, .keyphrases = {}, .seeds = {}}, FindEmbedder("hash"));
  REQUIRE(embedded.size() == 5);
  CHECK(embedded[0].similarity > 0);
  CHECK(embedded[0].similarity < 1);
}

TEST_CASE("the names that datasets' readers know are those of the tools") {
  std::vector<std::string_view> named(std::begin(kAgentToolNames), std::end(kAgentToolNames));
  std::vector<std::string_view> there;
  for (const ToolRow& row : ToolTable()) there.push_back(row.name);
  std::sort(named.begin(), named.end());
  std::sort(there.begin(), there.end());
  CHECK(named == there);
}

TEST_CASE("a model is told what it has left") {
  CHECK(StatusBlock({.used_tokens = 4300, .context_tokens = 10'000, .turns_left = 7}) ==
        "About 43 % of your context is in use. 7 turns are left, this one among them.");
  CHECK(StatusBlock({.used_tokens = 4300, .context_tokens = 0, .turns_left = 1}) ==
        "This is your last turn: answer now, from what you have.");
  CHECK(StatusBlock({.used_tokens = INT64_MAX, .context_tokens = 1, .turns_left = -5}).find("999 %") !=
        std::string::npos);
}

}  // namespace
}  // namespace assay
