// Tests of decoding replies by kind: silence for those who accept it, pages and services as what they are.
#include "run/wire/wire_codec.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

PreparedRequest Asked(bool takes_silence) {
  ModelRequest request;
  request.provider = "openai";
  request.model = "m";
  request.messages = {{Role::kUser, "Hi"}, {Role::kAssistant, "", {{"call_0", "f", "{}"}}, ""}};
  Suite suite;
  suite.cases.emplace_back();
  return Router().Prepare(suite, {.request = std::move(request), .tag = {}, .takes_silence = takes_silence});
}

HttpReply ReplyThatSays(std::string body) {
  HttpReply reply;
  reply.status = 200;
  reply.headers.push_back({"content-type", "application/json"});
  reply.body = std::move(body);
  return reply;
}

constexpr const char* kSilent = R"({"choices":[{"message":{"content":""},"finish_reason":"stop"}]})";
constexpr const char* kSpent = R"({"choices":[{"message":{"content":null},"finish_reason":"length"}]})";
constexpr const char* kThought =
    R"({"choices":[{"message":{"content":"<think>hm</think>"},"finish_reason":"stop"}]})";
constexpr const char* kCalls =
    R"({"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"g"}}]}}]})";
constexpr const char* kUnknown = R"({"choices":[{"message":{"content":"Half"},"finish_reason":"steered"}]})";
constexpr const char* kHeld = R"({"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]})";

WireVerdict VerdictOn(const char* body, bool takes_silence) {
  const PreparedRequest prepared = Asked(takes_silence);
  WireVerdict verdict = DecodeFromWire(prepared, {}, ReplyThatSays(body));
  KeepThoughtsApart(prepared, verdict);
  return verdict;
}

}  // namespace

TEST_CASE("a reply without a word is an answer to whoever takes silence, and to no other") {
  for (const char* body : {kSilent, kSpent, kThought}) {
    CAPTURE(body);
    const WireVerdict taken = VerdictOn(body, true);
    CHECK(taken.reply_class == ReplyClass::kOk);
    REQUIRE(taken.reply);
    CHECK(std::get<ModelReply>(*taken.reply).text.empty());
    const WireVerdict refused = VerdictOn(body, false);
    CHECK(refused.reply_class != ReplyClass::kOk);
    CHECK(!refused.reply);
  }
  CHECK(VerdictOn(kSilent, false).reply_class == ReplyClass::kRetry);
  CHECK(VerdictOn(kSpent, false).reply.error().code == ErrorCode::kNoAnswer);
  CHECK(std::get<ModelReply>(*VerdictOn(kSpent, true).reply).finish_reason == kCutAtLimit);
  // What was held back is an error, unless whoever asks takes what there is for the answer.
  CHECK(VerdictOn(kHeld, false).reply.error().code == ErrorCode::kContentFilter);
  REQUIRE(VerdictOn(kHeld, true).reply);
  CHECK(std::get<ModelReply>(*VerdictOn(kHeld, true).reply).finish_reason == "content_filter");
  // What was broken off for no known reason is none to either, but to the original's manners.
  CHECK(VerdictOn(kUnknown, false).reply.error().code == ErrorCode::kBrokenOff);
  CHECK(VerdictOn(kUnknown, true).reply.error().code == ErrorCode::kBrokenOff);
  PreparedRequest original = Asked(true);
  original.takes_any_end = true;
  CHECK(DecodeFromWire(original, {}, ReplyThatSays(kUnknown)).reply);
  for (const bool takes_silence : {false, true}) {
    const WireVerdict calls = VerdictOn(kCalls, takes_silence);
    REQUIRE(calls.reply);
    // Its id is none that the conversation has.
    CHECK(std::get<ModelReply>(*calls.reply).tool_calls.front().id == "call_1");
  }
}

PreparedRequest AskOfJudge(const char* provider) {
  Suite suite;
  suite.cases.emplace_back();
  ModelRequest request;
  request.provider = provider;
  request.model = "m";
  RequestTag tag;
  tag.role = RequestRole::kJudge;
  return Router().Prepare(suite, {.request = std::move(request), .tag = tag});
}

TEST_CASE("of a judge, half a reply may quote whatever its service calls its end; a refusal alone is none") {
  struct Row {
    const char* provider;
    const char* body;
    ErrorCode code;
  };
  const Row kRows[] = {
      {"anthropic", R"({"content":[{"type":"text","text":"It says"}],"stop_reason":"refusal"})",
       ErrorCode::kBrokenOff},
      {"anthropic", R"({"content":[],"stop_reason":"refusal"})", ErrorCode::kRefusal},
      {"anthropic",
       R"({"content":[{"type":"text","text":"It says"}],"stop_reason":"model_context_window_exceeded"})",
       ErrorCode::kBrokenOff},
      {"google", R"({"candidates":[{"content":{"parts":[{"text":"It says"}]},"finishReason":"LANGUAGE"}]})",
       ErrorCode::kBrokenOff},
      {"google", R"({"candidates":[{"finishReason":"LANGUAGE"}]})", ErrorCode::kBrokenOff},
      {"openrouter",
       R"({"choices":[{"message":{"content":"It"},"finish_reason":"error","error":)"
       R"({"code":400,"message":"This endpoint's maximum context length is 8192 tokens"}}]})",
       ErrorCode::kBrokenOff},
      {"openai", R"({"error":{"code":"content_filter","message":"x"},"usage":{"completion_tokens":9}})",
       ErrorCode::kBrokenOff},
      {"openai", R"({"choices":[{"message":{"content":"It"},"finish_reason":"error","error":{"code":429}}]})",
       ErrorCode::kBrokenOff},
      {"cohere", R"({"finish_reason":"TIMEOUT","message":{"content":[{"type":"text","text":"It says"}]}})",
       ErrorCode::kBrokenOff},
      {"openai-responses",
       R"({"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"It"},)"
       R"({"type":"refusal","refusal":"No."}]}]})",
       ErrorCode::kBrokenOff},
      {"openai-responses",
       R"({"status":"completed","output":[{"type":"message","content":[{"type":"refusal",)"
       R"("refusal":"No."}]}]})",
       ErrorCode::kRefusal},
      {"openai-responses",
       R"({"status":"failed","error":{"code":"server_error","message":"x"},"output":[{"type":"message",)"
       R"("content":[{"type":"output_text","text":"It says"}]}]})",
       ErrorCode::kBrokenOff},
      {"openai", R"({"choices":[{"message":{"content":"It says"},"finish_reason":"refusal"}]})",
       ErrorCode::kBrokenOff},
      {"openai", R"({"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]})",
       ErrorCode::kRefusal},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.body);
    const PreparedRequest judge = AskOfJudge(row.provider);
    const WireVerdict verdict = DecodeFromWire(judge, {}, ReplyThatSays(row.body));
    REQUIRE(!verdict.reply);
    CHECK(verdict.reply.error().code == row.code);
  }
}

TEST_CASE(
    "of a judge, a connection that breaks within the reply leaves half of it, as does the end of a pause") {
  struct Row {
    int status;
    std::vector<HttpHeader> headers;
    std::string_view body;
    ErrorCode code;
  };
  const Row rows[] = {
      {200, {}, R"({"id":"a","choices":[{"message":{"content":"It sa)", ErrorCode::kBrokenOff},
      {200, {}, R"({"usage":{"completion_tokens":7)", ErrorCode::kBrokenOff},
      {200, {}, R"({"text_so_far":"It sa)", ErrorCode::kBrokenOff},
      {200, {{"content-length", "900"}}, "", ErrorCode::kBrokenOff},
      {200, {{"content-encoding", "unheard-of"}}, "", ErrorCode::kBrokenOff},
      {200, {{"content-length", "0"}}, "", ErrorCode::kNetwork},
      {200, {{"content-encoding", "identity"}}, "", ErrorCode::kNetwork},
      {200, {}, "\n\n  ", ErrorCode::kNetwork},
      {200, {{"content-type", "text/event-stream"}}, ": wait\n\n", ErrorCode::kNetwork},
      {502, {{"content-length", "900"}}, R"({"error":{"message":"the cont)", ErrorCode::kNetwork},
      {0, {}, "", ErrorCode::kNetwork},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    HttpReply broken = ReplyThatSays(std::string(row.body));
    broken.status = row.status;
    broken.headers = row.headers;
    broken.error = Error{ErrorCode::kNetwork, "cut off"};
    const WireVerdict verdict = DecodeFromWire(AskOfJudge("openai"), {}, broken);
    REQUIRE(!verdict.reply);
    CHECK(verdict.reply.error().code == row.code);
  }
  // What lets a paused reply go on fails: the reply had begun.
  PreparedRequest judge = AskOfJudge("anthropic");
  judge.paused.emplace().text = "It says";
  HttpReply refusal = ReplyThatSays(R"({"type":"error","error":{"message":"no"}})");
  refusal.status = 400;
  const WireVerdict verdict = DecodeFromWire(judge, {}, refusal);
  REQUIRE(!verdict.reply);
  CHECK(verdict.reply.error().code == ErrorCode::kBrokenOff);
}

TEST_CASE("stored silence answers only those who take it") {
  Exchange found;
  found.reply = ModelReply{};
  CHECK(MayAnswer(found, Asked(true)));
  CHECK(!MayAnswer(found, Asked(false)));
  std::get<ModelReply>(found.reply).tool_calls = {{"a", "f", "{}"}};
  CHECK(MayAnswer(found, Asked(false)));
}

TEST_CASE("pages keep their bytes and where they are from; a service's body is words") {
  Suite suite;
  suite.cases.emplace_back();
  HttpRequest request;
  request.method = "GET";
  request.url = "http://a.example/";
  HttpReply reply = ReplyThatSays("caf\xE9");
  reply.content_type = "text/html";
  reply.final_url = "http://b.example/";
  const auto read = [&suite, &reply](const HttpRequest& asked) {
    const PreparedRequest prepared = Router().Prepare(suite, {.request = asked, .tag = {}});
    return std::get<HttpReply>(*DecodeFromWire(prepared, {}, reply).reply);
  };
  CHECK(read(request).body == "caf\xEF\xBF\xBD");
  CHECK(read(request).content_type.empty());
  request.redirects_max = 5;
  CHECK(read(request).body == "caf\xE9");
  CHECK(read(request).content_type == "text/html");
  CHECK(read(request).final_url == "http://b.example/");
}

TEST_CASE("what a page may be enters its key only where it is said") {
  HttpRequest request;
  request.method = "GET";
  request.url = "http://a.example/";
  CHECK(CanonicalText(request) == R"({"v":1,"http":"GET","url":"http://a.example/","body":""})");
  request.redirects_max = 5;
  request.reply_bytes_max = 1000;
  CHECK(CanonicalText(request) ==
        R"({"v":1,"http":"GET","url":"http://a.example/","body":"","redirects":5,"bytes_max":1000})");
}

}  // namespace assay
