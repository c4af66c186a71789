// Tests of the Responses protocol: which models speak it, what is sent, and what replies and streams say.
#include "providers/codecs/openai_responses.h"

#include <doctest/doctest.h>

#include "providers/facts/model_facts.h"
#include "providers/provider.h"
#include "providers/shapes/reply/reply_json.h"
#include "spec/exchange/tool_calls.h"
#include "text/json/json.h"

namespace assay {
namespace {

HttpReply OpenaiResponsesTestAnswered(int status, std::string body, std::string type = "application/json") {
  HttpReply reply;
  reply.status = status;
  reply.headers.push_back({"content-type", std::move(type)});
  reply.body = std::move(body);
  return reply;
}

ModelRequest OpenaiResponsesTestAsked(std::string_view provider, std::string model) {
  ModelRequest request;
  request.provider = provider;
  request.model = std::move(model);
  request.messages = {{Role::kSystem, "Be brief."}, {Role::kUser, "Go"}};
  request.params.temperature = 0.5;
  return request;
}

const ProviderRow& Responses() { return *FindProvider("openai-responses"); }

constexpr std::string_view kWholeReply =
    R"({"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,)"
    R"("output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}]},)"
    R"({"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":" Hi ",)"
    R"("annotations":[]},{"type":"output_text","text":"you\n","annotations":[]}]}],)"
    R"("usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":9,)"
    R"("output_tokens_details":{"reasoning_tokens":5},"total_tokens":16}})";

}  // namespace

TEST_CASE("models that have no chat protocol are asked by the Responses API, by themselves") {
  struct Row {
    std::string_view model;
    bool only_responses;
  };
  const Row rows[] = {
      {"gpt-5-pro", true},    {"gpt-5.5-pro-2026-04-23", true}, {"o3-pro", true},
      {"gpt-5-codex", true},  {"o4-mini-deep-research", true},  {"computer-use-preview", true},
      {"gpt-5-mini", false},  {"gpt-4o-2024-11-20", false},     {"o3", false},
      {"gpt-6-astra", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    const HttpRequest wire =
        FindProvider("openai")->Encode(OpenaiResponsesTestAsked("openai", std::string(row.model))).value();
    CHECK(wire.url == (row.only_responses ? "https://api.openai.com/v1/responses"
                                          : "https://api.openai.com/v1/chat/completions"));
  }
}

TEST_CASE("what the Responses API is sent") {
  HttpRequest wire = Responses().Encode(OpenaiResponsesTestAsked("openai-responses", "gpt-4o")).value();
  CHECK(wire.url == "https://api.openai.com/v1/responses");
  CHECK(
      wire.body ==
      R"({"model":"gpt-4o","input":[{"role":"system","content":"Be brief."},{"role":"user","content":"Go"}],)"
      R"("temperature":0.5,"max_output_tokens":1500,"store":false,"stream":false})");
  Responses().stream(wire);
  CHECK(wire.body.ends_with(R"("store":false,"stream":true})"));
  const HttpRequest thinker =
      Responses().Encode(OpenaiResponsesTestAsked("openai-responses", "o3-pro")).value();
  CHECK(thinker.body.find("temperature") == std::string::npos);

  ModelRequest hard = OpenaiResponsesTestAsked("openai-responses", "o3-pro");
  hard.params.effort = "high";
  hard.room = 30'000;
  const std::string sent = Responses().Encode(hard).value().body;
  CHECK(sent.find(R"("max_output_tokens":30000,"reasoning":{"effort":"high"})") != std::string::npos);

  ModelRequest seeded = OpenaiResponsesTestAsked("openai-responses", "gpt-4o");
  seeded.params.seed = 1;
  CHECK(Responses().Encode(seeded).error().code == ErrorCode::kUnsupported);
  ModelRequest stopped = OpenaiResponsesTestAsked("openai-responses", "gpt-4o");
  stopped.params.stop = {"."};
  CHECK(Responses().Encode(stopped).error().code == ErrorCode::kUnsupported);
  ModelRequest elsewhere = OpenaiResponsesTestAsked("openai", "gpt-5-pro");
  elsewhere.base_url = "http://h:1/v1/";
  CHECK(FindProvider("openai")->Encode(elsewhere).value().url == "http://h:1/v1/responses");
  CHECK(FindModelFacts("openai-responses", "gpt-4o")->price->input_usd ==
        FindModelFacts("openai", "gpt-4o")->price->input_usd);
}

TEST_CASE("a reply of the Responses API, whole and as a stream, by either provider") {
  const std::string events =
      "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"object\":\"response\","
      "\"output\":[]}}\n\n"
      "event: response.output_text.delta\ndata: "
      "{\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}\n\n";
  const std::string end = "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":" +
                          std::string(kWholeReply) + "}\n\n";
  const HttpReply replies[] = {OpenaiResponsesTestAnswered(200, std::string(kWholeReply)),
                               OpenaiResponsesTestAnswered(200, events + end, "text/event-stream")};
  for (const std::string_view provider : {"openai-responses", "openai"}) {
    for (const HttpReply& reply : replies) {
      CAPTURE(reply.body);
      const Result<ModelReply> decoded = FindProvider(provider)->decode(reply);
      REQUIRE(decoded);
      CHECK(decoded->text == "Hi you");
      CHECK(decoded->reasoning == "hm");
      CHECK(decoded->finish_reason == "stop");
      CHECK(decoded->usage.input_tokens == 7);
      CHECK(decoded->usage.output_tokens == 9);
      CHECK(decoded->usage.reasoning_tokens == 5);
      CHECK(decoded->usage.known);
    }
  }
  const HttpReply cut = OpenaiResponsesTestAnswered(200, events, "text/event-stream");
  CHECK(Responses().decode(cut).error().code == ErrorCode::kCorrupt);

  // A service that leaves the items out at the end has sent each of them before.
  const std::string item =
      "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"message\","
      "\"content\":[{\"type\":\"output_text\",\"text\":\"Yes\"}]}}\n\n"
      "data: {\"type\":\"response.completed\",\"response\":{\"object\":\"response\",\"output\":[]}}\n\n";
  CHECK(Responses().decode(OpenaiResponsesTestAnswered(200, item, "text/event-stream")).value().text ==
        "Yes");
}

TEST_CASE("calls, limits, refusals and failures of the Responses API") {
  const Result<ModelReply> called = Responses().decode(OpenaiResponsesTestAnswered(
      200, R"({"object":"response","status":"completed","output":[{"type":"function_call","name":"f",)"
           R"("arguments":"{\"a\":1}"}]})"));
  REQUIRE(called);
  CHECK(TextWithCalls(*called) == "TOOL_CALL {\"name\":\"f\",\"arguments\":{\"a\":1}}");
  CHECK(called->finish_reason == "tool_calls");

  const Result<ModelReply> cut = Responses().decode(OpenaiResponsesTestAnswered(
      200, R"({"object":"response","status":"incomplete","incomplete_details":{"reason":)"
           R"("max_output_tokens"},"output":[{"type":"message","content":[{"type":"output_text",)"
           R"("text":"Hal"}]}]})"));
  REQUIRE(cut);
  CHECK(cut->finish_reason == "length");

  struct Row {
    int status;
    std::string_view body, words;
    ErrorCode code;
  };
  const Row rows[] = {
      {200, R"({"object":"response","output":[],"incomplete_details":{"reason":"max_output_tokens"}})",
       "before it answered", ErrorCode::kNoAnswer},
      {200,
       R"({"object":"response","status":"completed","output":[{"type":"message",)"
       R"("content":[{"type":"refusal",)"
       R"("refusal":"No."}]}]})",
       "", ErrorCode::kRefusal},
      {200, R"({"object":"response","status":"failed","error":{"code":"server_error","message":"oops"}})",
       "oops", ErrorCode::kService},
      {200, R"({"object":"response","error":{"code":"rate_limit_exceeded","message":"slow"}})", "slow",
       ErrorCode::kRateLimited},
      {200, R"({"object":"response","error":{"code":"invalid_prompt","message":"no"}})", "content filter",
       ErrorCode::kContentFilter},
      {200, R"({"object":"response","error":{"code":"invalid_image_url","message":"no"}})", "status 400",
       ErrorCode::kInvalidInput},
      {200, R"({"object":"response","error":{"code":"strange","message":"no"}})", "reports strange: \"no\"",
       ErrorCode::kService},
      {200, R"({"object":"response"})", "output", ErrorCode::kCorrupt},
      {200, R"({"object":"resp)", "JSON", ErrorCode::kCorrupt},
      {429, R"({"error":{"message":"slow down"}})", "slow down", ErrorCode::kRateLimited},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    Result<ModelReply> decoded =
        Responses().decode(OpenaiResponsesTestAnswered(row.status, std::string(row.body)));
    if (decoded) decoded = SpokenReply(*std::move(decoded));
    REQUIRE(!decoded);
    CHECK(decoded.error().code == row.code);
    CHECK(decoded.error().message.find(row.words) != std::string::npos);
  }
  for (const std::string_view event :
       {"data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"oops\"}\n\n",
        "data: {\"type\":\"error\",\"error\":{\"code\":\"server_error\",\"message\":\"oops\"}}\n\n"}) {
    const Result<ModelReply> decoded =
        Responses().decode(OpenaiResponsesTestAnswered(200, std::string(event), "text/event-stream"));
    CHECK(decoded.error().code == ErrorCode::kService);
  }
}

TEST_CASE("an error of one question is of its class in every form, and no error of the model") {
  // In `response.failed`, in an event of its own and in a body it was an error of the request, of which ten
  // gave the model up.
  const struct {
    std::string_view code;
    ErrorCode ours;
  } rows[] = {
      {"context_length_exceeded", ErrorCode::kContextWindow},
      {"content_filter", ErrorCode::kContentFilter},
      {"ResponsibleAIPolicyViolation", ErrorCode::kContentFilter},
      {"invalid_prompt", ErrorCode::kContentFilter},
      {"bio_policy", ErrorCode::kContentFilter},
      {"image_content_policy_violation", ErrorCode::kContentFilter},
      {"misalignment_policy_violation", ErrorCode::kContentFilter},
      {"server_error", ErrorCode::kService},
  };
  for (const auto& row : rows) {
    CAPTURE(row.code);
    const std::string error = R"({"message":"no","code":")" + std::string(row.code) + "\"}";
    const std::string failed = R"({"object":"response","status":"failed","output":[],"error":)" + error + "}";
    const HttpReply replies[] = {
        OpenaiResponsesTestAnswered(200, failed),
        OpenaiResponsesTestAnswered(200, R"({"error":)" + error + "}"),
        OpenaiResponsesTestAnswered(400, R"({"error":)" + error + "}"),
        OpenaiResponsesTestAnswered(200, R"(data: {"type":"response.failed","response":)" + failed + "}\n\n",
                                    "text/event-stream"),
        OpenaiResponsesTestAnswered(200, R"(data: {"type":"error","error":)" + error + "}\n\n",
                                    "text/event-stream"),
        OpenaiResponsesTestAnswered(200, R"(data: {"type":"error",)" + error.substr(1) + "\n\n",
                                    "text/event-stream"),
    };
    for (const HttpReply& reply : replies) {
      CAPTURE(reply.body);
      const Result<ModelReply> decoded = Responses().decode(reply);
      REQUIRE_FALSE(decoded);
      const bool is_refused = reply.status == 400 && row.ours == ErrorCode::kService;
      CHECK(decoded.error().code == (is_refused ? ErrorCode::kInvalidInput : row.ours));
    }
  }
  // What the model wrote before it failed says nothing of why.
  const HttpReply half = OpenaiResponsesTestAnswered(
      500, R"({"object":"response","error":{"code":"server_error","message":"oops"},"output":[{"type":)"
           R"("message","content":[{"type":"output_text","text":"It is called content_filter"}]}]})");
  CHECK(Responses().decode(half).error().code == ErrorCode::kService);
}

}  // namespace assay
