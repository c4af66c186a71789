// Tests of what stands in the place of answers.
#include "providers/shapes/reply/reply_json.h"

#include <doctest/doctest.h>

#include "providers/shapes/reply/endings.h"
#include "text/json/json.h"

namespace assay {
namespace {

TEST_CASE("what a service says in place of an answer is its error, by the class of its words") {
  struct Row {
    const char* body;
    ErrorCode code;
    const char* words;
  };
  const Row rows[] = {
      {R"({"msg":"account is in arrears"})", ErrorCode::kService, "account is in arrears"},
      {R"({"detail":"model is still loading"})", ErrorCode::kService, "model is still loading"},
      {R"({"detail":[{"msg":"field required"}]})", ErrorCode::kService, "field required"},
      {R"({"errors":["too many requests"]})", ErrorCode::kRateLimited, "too many requests"},
      {R"({"errors":{"message":"rate limit of the free tier"}})", ErrorCode::kRateLimited,
       "rate limit of the"},
      {R"({"object":"error","message":"maximum context length is 4096"})", ErrorCode::kContextWindow, "4096"},
      {R"({"error":{"message":"no","code":"server_error"}})", ErrorCode::kService, "no"},
      {R"({"object":"list"})", ErrorCode::kCorrupt, "expected a reply with \"choices\", found none"},
      {R"({"errors":[],"detail":7})", ErrorCode::kCorrupt, "expected a reply with \"choices\", found none"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    const Error error = NoAnswerIn(ParseJson(row.body).value(), "choices");
    CHECK(error.code == row.code);
    CAPTURE(error.message);
    CHECK(error.message.find(row.words) != std::string::npos);
  }
}

TEST_CASE("thoughts without an answer say where the text is") {
  ModelReply reply;
  reply.reasoning = "The capital is Paris.";
  reply.finish_reason = "stop";
  const Result<ModelReply> spoken = SpokenReply(reply);
  REQUIRE_FALSE(spoken);
  CHECK(spoken.error().message.find("reasoning") != std::string::npos);
}

TEST_CASE("an end of \"\" counts as left out where the service is only compatible") {
  const Value choice = ParseJson(R"({"finish_reason":""})").value();
  ModelReply reply;
  reply.text = "Paris";
  TakeEnd(kAnyEndWords, choice, "finish_reason", reply);
  CHECK(CheckedReply(reply));
  TakeEnd({.services = end_words::kChat}, choice, "finish_reason", reply);
  CHECK_FALSE(CheckedReply(reply));
}

}  // namespace
}  // namespace assay
