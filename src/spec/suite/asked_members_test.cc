// Tests of which passed parameters say what is asked, and what they cost.
#include "spec/suite/asked_members.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay {
namespace {

TEST_CASE("what says what is asked is known in every spelling that services take") {
  for (const char* name : {"model", "messages", "input", "n", "stream", "tools", "tool_choice", "toolChoice",
                           "store", "MODEL", "candidateCount", "system_instruction",
                           "preset", "plugins", "mcp_servers", "web_search_options", "prediction",
                           "container", "search_parameters", "cachedContent"}) {
    CAPTURE(name);
    CHECK(ReplacesQuestion(name));
  }
  for (const char* name :
       {"temperature", "max_tokens", "top_k", "reasoning", "seed", "stop", "provider", "nn", ""}) {
    CAPTURE(name);
    CHECK_FALSE(ReplacesQuestion(name));
  }
}

TEST_CASE("a group of parameters is looked into") {
  const Value parameters = ParseJson(
      R"({"top_k": 1, "generationConfig": {"topK": 1, "candidateCount": 2},
          "generation_config": {"model": "m"}, "thinkingConfig": {"model": "x"}, "n": 2})").value();
  std::string found;
  for (const Member* member : QuestionMembers(parameters.AsMap())) found += member->key + " ";
  CHECK(found == "candidateCount model n ");
}

TEST_CASE("what is passed on all the same is counted") {
  ModelRequest request;
  request.model = "small";
  CHECK(ModelSent(request) == "small");
  CHECK_FALSE(OutputTokensOfExtra(request.params.extra).has_value());
  CHECK(AnswersOfExtra(request.params.extra) == 1);
  request.params.extra = ParseJson(R"({"model": "large", "n": 3, "max_tokens": 7, "input": "abc"})").value();
  CHECK(ModelSent(request) == "large");
  CHECK(OutputTokensOfExtra(request.params.extra) == 7);
  CHECK(AnswersOfExtra(request.params.extra) == 3);
  CHECK(BytesOfExtra(request.params.extra) == 5);
  request.params.extra = ParseJson(R"({"n": -1, "max_tokens": 1e300})").value();
  CHECK_FALSE(OutputTokensOfExtra(request.params.extra).has_value());
  CHECK(AnswersOfExtra(request.params.extra) == 1);
}

}  // namespace
}  // namespace assay
