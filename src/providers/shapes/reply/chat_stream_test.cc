// Tests of chat streams: how they are requested, and where an answer begins in one.
#include "providers/shapes/reply/chat_stream.h"

#include <doctest/doctest.h>

#include <set>

#include "providers/provider.h"

namespace assay {

TEST_CASE("each service is asked for a stream in its own way, and for nothing else") {
  const std::set<std::string_view> count_unasked = {"anthropic",        "cohere",     "mistral",
                                                    "openai-responses", "perplexity", "together"};
  const std::set<std::string_view> always_whole = {"custom", "echo", "exec"};
  for (const ProviderRow& row : ProviderTable()) {
    CAPTURE(row.name);
    CHECK((row.stream == nullptr) == (always_whole.count(row.name) == 1));
    // Those that say it in the URL: google_stream_test.cc, clouds_test.cc.
    const std::set<std::string_view> in_url = {"bedrock", "google", "vertex"};
    if (row.stream == nullptr || in_url.count(row.name) == 1) continue;
    ModelRequest request;
    request.provider = row.name;
    request.model = "m";
    request.base_url = "http://h/v1";
    request.messages = {{Role::kUser, R"(say "stream":false})"}};
    const HttpRequest whole = row.Encode(request).value();
    HttpRequest stream = whole;
    row.stream(stream);
    std::string want = whole.body;
    const std::string_view ending = R"("stream":false})";
    REQUIRE(want.ends_with(ending));
    want.replace(want.size() - ending.size(), ending.size(),
                 count_unasked.count(row.name) == 1
                     ? R"("stream":true})"
                     : R"("stream":true,"stream_options":{"include_usage":true}})");
    CHECK(stream.body == want);
    CHECK(stream.url == whole.url);
  }
}

TEST_CASE("an answer begins with the first event that says something") {
  const struct {
    const char* event;
    bool begins;
  } rows[] = {
      {R"({"choices":[{"delta":{"role":"assistant","content":""}}]})", false},
      {R"({"choices":[{"delta":{"role":"assistant","content":null,"refusal":null}}]})", false},
      {R"({"choices":[{"delta":{"content":"H"}}]})", true},
      {R"({"choices":[{"delta":{"content":[{"type":"thinking"}]}}]})", true},
      {R"({"choices":[{"delta":{"content":[]}}]})", false},
      {R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})", true},
      {R"({"choices":[{"delta":{"tool_calls":[{"index":0}]}}]})", true},
      {R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", true},
      {R"({"choices":[{"delta":{},"finish_reason":null}]})", false},
      {R"({"choices":[{}]})", false},
      {R"({"choices":[],"prompt_filter_results":[]})", false},
      {R"({"type":"message_start","message":{}})", false},
      {R"({"type":"ping"})", false},
      {R"({"role":"assistant","p":"abc"})", false},
      {R"({"contentBlockIndex":0,"delta":{"text":"H"}})", true},
      {R"({"type":"content_block_start","content_block":{"type":"text","text":""}})", false},
      {R"({"type":"content_block_delta","delta":{"type":"text_delta","text":""}})", false},
      {R"({"type":"content_block_delta","delta":{"type":"text_delta","text":"H"}})", true},
      {R"({"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}})", true},
      {R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})", true},
      {R"({"error":{"message":"overloaded"}})", true},
      {"[DONE]", true},
      {"", true},
  };
  for (const auto& row : rows) {
    CAPTURE(row.event);
    CHECK(BeginsAnswer(row.event) == row.begins);
  }
}

TEST_CASE("pieces of thoughts, of parts and of refusals are put together") {
  const Result<ModelReply> parts = DecodeChatStream(
      "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\","
      "\"text\":\"hm\"}]}]}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi \"}]}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"you\"},\"finish_reason\":\"stop\"}]}\n\n",
      kAnyEndWords);
  REQUIRE(parts);
  CHECK(parts->reasoning == "hm");
  CHECK(parts->text == "Hi you");
  const Result<ModelReply> refusal = DecodeChatStream(
      "data: {\"choices\":[{\"delta\":{\"content\":null,\"refusal\":\"I \"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"refusal\":\"won't\"},\"finish_reason\":\"stop\"}]}\n\n",
      kAnyEndWords);
  REQUIRE(refusal);
  CHECK(refusal->text == "I won't");
}

TEST_CASE("a stream tells its tier, its sources, and what Groq says went wrong beside the rest") {
  const Result<ModelReply> told = DecodeChatStream(
      "data: "
      "{\"service_tier\":\"flex\",\"choices\":[{\"delta\":{\"content\":\"Hi\",\"annotations\":[{\"type\":"
      "\"url_citation\",\"url_citation\":{\"url\":\"u\",\"title\":\"t\"}}]}}]}\n\n"
      "data: "
      "{\"search_results\":[{\"url\":\"v\",\"title\":\"w\"}],\"choices\":[{\"delta\":{},\"finish_reason\":"
      "\"stop\"}]}\n\n",
      kAnyEndWords);
  REQUIRE(told);
  CHECK(told->tier == "flex");
  REQUIRE(told->citations.is_list());
  CHECK(told->citations.AsList().size() == 2);
  const Result<ModelReply> failed = DecodeChatStream(
      "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n"
      "data: {\"choices\":[],\"x_groq\":{\"error\":\"over capacity\"}}\n\n",
      kAnyEndWords);
  REQUIRE(!failed);
}

TEST_CASE("a thought that comes as a text and then as a list goes on as a list") {
  const Result<ModelReply> reply = DecodeChatStream(
      "data: {\"choices\":[{\"delta\":{\"reasoning_details\":\"hm\"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{\"text\":\"so\"}],\"content\":\"Hi\"},"
      "\"finish_reason\":\"stop\"}]}\n\n",
      kAnyEndWords);
  REQUIRE(reply);
  CHECK(reply->text == "Hi");
}

}  // namespace assay
