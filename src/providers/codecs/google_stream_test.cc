// Tests of streams of Google's protocol: how they are requested, and how their pieces are joined.
#include <doctest/doctest.h>

#include "providers/provider.h"
#include "providers/shapes/reply/chat_stream.h"
#include "providers/shapes/reply/reply_json.h"

namespace assay {
namespace {

HttpReply Streamed(std::string body) {
  HttpReply reply;
  reply.status = 200;
  reply.headers.push_back({"content-type", "text/event-stream"});
  reply.body = std::move(body);
  return reply;
}

const ProviderRow& Google() { return *FindProvider("google"); }

constexpr std::string_view kOpening = R"({"candidates":[{"content":{"role":"model"},"index":0}]})";

}  // namespace

TEST_CASE("the same body is sent to another method") {
  ModelRequest request;
  request.provider = "google";
  request.model = "gemini-x";
  request.messages = {{Role::kUser, "Go"}};
  const HttpRequest whole = Google().Encode(request).value();
  HttpRequest stream = whole;
  Google().stream(stream);
  CHECK(stream.url ==
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent?alt=sse");
  CHECK(stream.body == whole.body);
}

TEST_CASE("pieces of thoughts, of the answer and of calls; the last usage counts") {
  const std::string pieces =
      "data: " + std::string(kOpening) +
      "\r\n\r\n"
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"h\",\"thought\":true}]}}],"
      "\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":1}}\r\n\r\n"
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"m\",\"thought\":true},{\"text\":\"Hi "
      "\"}]}}]}\r\n\r\n"
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"you\"}]}}]}\r\n\r\n";
  const std::string end =
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]},\"finishReason\":\"STOP\"}],"
      "\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":4,\"thoughtsTokenCount\":2}}"
      "\r\n\r\n";
  const Result<ModelReply> reply = Google().decode(Streamed(pieces + end));
  REQUIRE(reply);
  CHECK(reply->text == "Hi you");
  CHECK(reply->reasoning == "hm");
  CHECK(reply->finish_reason == "stop");
  CHECK(reply->usage.input_tokens == 3);
  CHECK(reply->usage.output_tokens == 6);
  CHECK(Google().decode(Streamed(pieces)).error().code == ErrorCode::kCorrupt);
  CHECK(Google().decode(Streamed("")).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("what ends a stream without an answer") {
  struct Row {
    std::string_view event;
    ErrorCode code;
  };
  const Row rows[] = {
      {R"({"promptFeedback":{"blockReason":"SAFETY"}})", ErrorCode::kContentFilter},
      {R"({"candidates":[{"finishReason":"SAFETY"}]})", ErrorCode::kContentFilter},
      {R"({"candidates":[{"finishReason":"MAX_TOKENS"}]})", ErrorCode::kNoAnswer},
      {R"({"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}})", ErrorCode::kService},
      {R"({"cand)", ErrorCode::kCorrupt},
      {"[1]", ErrorCode::kCorrupt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.event);
    Result<ModelReply> reply = Google().decode(Streamed("data: " + std::string(row.event) + "\n\n"));
    if (reply) reply = SpokenReply(*std::move(reply));
    REQUIRE(!reply);
    CHECK(reply.error().code == row.code);
  }
}

TEST_CASE("an answer begins with the first event that says something, by Google and OpenAI too") {
  struct Row {
    std::string_view event;
    bool begins;
  };
  const Row rows[] = {
      {kOpening, false},
      {R"({"candidates":[{"content":{"parts":[{"text":""}]}}]})", false},
      {R"({"candidates":[{"content":{"parts":[{"text":"a"}]}}]})", true},
      {R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]})", true},
      {R"({"candidates":[{"finishReason":"STOP"}]})", true},
      {R"({"type":"response.created","response":{}})", false},
      {R"({"type":"response.output_item.added"})", false},
      {R"({"type":"response.output_text.delta","delta":"a"})", true},
      {R"({"type":"response.reasoning_summary_text.delta","delta":"a"})", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.event);
    CHECK(BeginsAnswer(row.event) == row.begins);
  }
}

}  // namespace assay
