// Tests of the models that clouds serve: Vertex AI in their makers' protocols, Bedrock by Converse.
#include <doctest/doctest.h>

#include "providers/provider.h"
#include "text/json/json.h"

namespace assay {
namespace {

HttpReply CloudsTestSaid(std::string body, int status = 200) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

ModelRequest CloudsTestAsked(std::string provider, std::string model) {
  ModelRequest request;
  request.provider = provider;
  request.model = std::move(model);
  request.base_url = provider == "vertex" ? "https://aiplatform.googleapis.com/v1/projects/p/locations/global"
                                          : "https://bedrock-runtime.us-east-1.amazonaws.com";
  request.messages = {{.role = Role::kSystem, .text = "Be brief."}, {.role = Role::kUser, .text = "Who?"}};
  request.params.max_tokens = 500;
  return request;
}

HttpRequest Encoded(const ModelRequest& request) {
  return FindProvider(request.provider)->Encode(request).value();
}

const ProviderRow& Vertex() { return *FindProvider("vertex"); }
const ProviderRow& Bedrock() { return *FindProvider("bedrock"); }

TEST_CASE("vertex: Gemini in its own words, below its maker's name") {
  HttpRequest wire = Encoded(CloudsTestAsked("vertex", "gemini-2.5-flash"));
  CHECK(wire.url ==
        "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/"
        "gemini-2.5-flash:generateContent");
  CHECK(wire.body == R"({"systemInstruction":{"parts":[{"text":"Be brief."}]},)"
                     R"("contents":[{"role":"user","parts":[{"text":"Who?"}]}],)"
                     R"("generationConfig":{"maxOutputTokens":500}})");
  Vertex().stream(wire);
  CHECK(wire.url.ends_with(":streamGenerateContent?alt=sse"));
  const ModelReply reply =
      Vertex()
          .decode(
              CloudsTestSaid(R"({"candidates":[{"content":{"parts":[{"text":"I."}]},"finishReason":"STOP"}],)"
                             R"("usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1}})"))
          .value();
  CHECK(reply.text == "I.");
  CHECK(reply.usage.input_tokens == 3);
}

TEST_CASE("vertex: Claude's name is in the address, and the version in the body") {
  HttpRequest wire = Encoded(CloudsTestAsked("vertex", "claude-haiku-4-5@20251001"));
  CHECK(wire.url ==
        "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/anthropic/models/"
        "claude-haiku-4-5@20251001:rawPredict");
  CHECK(wire.body == R"({"anthropic_version":"vertex-2023-10-16","system":"Be brief.",)"
                     R"("messages":[{"role":"user","content":"Who?"}],"max_tokens":500,"stream":false})");
  Vertex().stream(wire);
  CHECK(wire.url.ends_with(":streamRawPredict"));
  CHECK(ParseJson(wire.body)->Find("stream")->AsBool());
  const ModelReply reply =
      Vertex()
          .decode(CloudsTestSaid(R"({"type":"message","content":[{"type":"text","text":"I."}],)"
                                 R"("stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":1}})"))
          .value();
  CHECK(reply.text == "I.");
  CHECK(reply.finish_reason == "stop");
  HttpReply stream = CloudsTestSaid(
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n"
      "data: "
      "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"I.\"}}"
      "\n\n"
      "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
      "data: {\"type\":\"message_stop\"}\n\n");
  stream.headers = {{"content-type", "text/event-stream"}};
  CHECK(Vertex().decode(stream).value().text == "I.");
  // What Gemini writes itself is no word of the protocol.
  const ModelReply called =
      Vertex()
          .decode(
              CloudsTestSaid(R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"end","args":)"
                             R"({"stop_reason":"x","type":"message_start","k":"\"message_start\""}}}]},)"
                             R"("finishReason":"STOP"}]})"))
          .value();
  REQUIRE(called.tool_calls.size() == 1);
  CHECK(called.tool_calls[0].name == "end");
  HttpReply pieces = CloudsTestSaid(
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Both \\\"message_start\\\" and \"},"
      "{\"functionCall\":{\"name\":\"end\",\"args\":{\"stop_reason\":1}}}]},\"finishReason\":\"STOP\"}]}"
      "\n\n");
  pieces.headers = {{"content-type", "text/event-stream"}};
  CHECK(Vertex().decode(pieces).value().tool_calls.size() == 1);
  const auto refused =
      Vertex().decode(CloudsTestSaid(R"([{"error":{"code":401,"message":"no token"}}])", 401));
  CHECK(refused.error().code == ErrorCode::kRefused);
}

TEST_CASE("bedrock: a stream is put together to what would have come whole") {
  const ProviderRow& bedrock = *FindProvider("bedrock");
  HttpRequest wire = Encoded(CloudsTestAsked("bedrock", "amazon.nova-lite-v1:0"));
  bedrock.stream(wire);
  CHECK(wire.url.ends_with("/model/amazon.nova-lite-v1%3A0/converse-stream"));
  bedrock.stream(wire);
  CHECK(wire.url.ends_with("/converse-stream"));
  const auto said = [](const std::string& events) {
    HttpReply reply = CloudsTestSaid(events);
    reply.headers = {{"content-type", "text/event-stream"}};
    return reply;
  };
  const auto event = [](const char* name, const char* data) {
    return std::string("event: ") + name + "\ndata: " + data + "\n\n";
  };
  const std::string begin = event("messageStart", R"({"role":"assistant","p":"ab"})");
  const std::string end =
      event("messageStop", R"({"stopReason":"tool_use"})") +
      event("metadata", R"({"usage":{"inputTokens":9,"outputTokens":4,"totalTokens":13},"metrics":{}})");
  const std::string pieces =
      event("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Hm"}}})") +
      event("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"m."}}})") +
      event("contentBlockDelta",
            R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"s1"}}})") +
      event("contentBlockDelta", R"({"contentBlockIndex":1,"delta":{"text":"I "}})") +
      event("contentBlockDelta", R"({"contentBlockIndex":1,"delta":{"text":"look."}})") +
      event("contentBlockStart",
            R"({"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t1","name":"look"}}})") +
      event("contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"q\":"}}})") +
      event("contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"1}"}}})");
  const ModelReply streamed = bedrock.decode(said(begin + pieces + end)).value();
  const ModelReply whole =
      bedrock
          .decode(CloudsTestSaid(
              R"({"output":{"message":{"role":"assistant","content":[)"
              R"({"reasoningContent":{"reasoningText":{"text":"Hmm.","signature":"s1"}}},{"text":"I look."},)"
              R"({"toolUse":{"toolUseId":"t1","name":"look","input":{"q":1}}}]}},"stopReason":"tool_use",)"
              R"("usage":{"inputTokens":9,"outputTokens":4,"totalTokens":13}})"))
          .value();
  CHECK(streamed.text == whole.text);
  CHECK(streamed.reasoning == whole.reasoning);
  CHECK(streamed.parts == whole.parts);
  CHECK(streamed.finish_reason == whole.finish_reason);
  CHECK(streamed.usage == whole.usage);
  REQUIRE(streamed.tool_calls.size() == 1);
  CHECK(streamed.tool_calls[0].arguments == whole.tool_calls[0].arguments);
  CHECK(bedrock.decode(said(begin + pieces)).error().code == ErrorCode::kCorrupt);
  CHECK(bedrock.decode(said("")).error().code == ErrorCode::kCorrupt);
  CHECK(bedrock.decode(said(begin + "data: no JSON\n\n")).error().code == ErrorCode::kCorrupt);
  const auto failed = bedrock.decode(said(
      begin + event("throttlingException",
                    R"({"error":{"code":"throttlingException","message":"{\"message\":\"Too fast\"}"}})")));
  CHECK(failed.error().code == ErrorCode::kRateLimited);
  CHECK(failed.error().message.find("Too fast") != std::string::npos);
}

TEST_CASE("bedrock: a conversation with tools in Converse's words") {
  ModelRequest request = CloudsTestAsked("bedrock", "us.anthropic.claude-haiku-4-5-20251001-v1:0");
  request.params.temperature = 0;
  request.params.stop = {"END"};
  request.tools = {{.name = "look", .description = "Looks.", .parameters = Value(Map())}};
  request.tool_choice = "required";
  request.messages.push_back({.role = Role::kAssistant,
                              .text = "",
                              .calls = {{.id = "a", .name = "look", .arguments = R"({"q":1})"},
                                        {.id = "b", .name = "look", .arguments = "{}"}}});
  request.messages.push_back({.role = Role::kTool, .text = "one", .call_id = "a"});
  request.messages.push_back({.role = Role::kTool, .text = "two", .call_id = "b"});
  const HttpRequest wire = Encoded(request);
  CHECK(wire.url ==
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/"
        "us.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse");
  CHECK(wire.body ==
        R"({"messages":[{"role":"user","content":[{"text":"Who?"}]},)"
        R"({"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"look","input":{"q":1}}},)"
        R"({"toolUse":{"toolUseId":"b","name":"look","input":{}}}]},)"
        R"({"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"one"}]}},)"
        R"({"toolResult":{"toolUseId":"b","content":[{"text":"two"}]}}]}],)"
        R"("system":[{"text":"Be brief."}],)"
        R"("inferenceConfig":{"maxTokens":500,"temperature":0,"stopSequences":["END"]},)"
        R"("toolConfig":{"tools":[{"toolSpec":{"name":"look","description":"Looks.",)"
        R"("inputSchema":{"json":{}}}}],"toolChoice":{"any":{}}}})");
  request.params.seed = 1;
  CHECK(Bedrock().Encode(request).error().code == ErrorCode::kUnsupported);
}

TEST_CASE("bedrock: pictures and files stand before the text; a schema is a text; thoughts are the maker's") {
  ModelRequest request = CloudsTestAsked("bedrock", "anthropic.claude-haiku-4-5-20251001-v1:0");
  const auto part = [](MediaKind kind, std::string type) {
    MediaPart media;
    media.kind = kind;
    media.type = std::move(type);
    media.blob = std::make_shared<const Blob>(Blob{.sha256 = {}, .bytes = "abc"});
    return media;
  };
  request.messages = {
      {.role = Role::kUser,
       .text = "What?",
       .media = {part(MediaKind::kImage, "image/png"), part(MediaKind::kFile, "application/pdf")}}};
  request.params.thinking_tokens = 2'000;
  request.answer_schema = ParseJson(R"({"type":"object"})").value();
  CHECK(Encoded(request).body ==
        R"({"messages":[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"YWJj"}}},)"
        R"({"document":{"format":"pdf","name":"part-2","source":{"bytes":"YWJj"}}},{"text":"What?"}]}],)"
        R"("additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":2000}},)"
        R"("inferenceConfig":{"maxTokens":500},)"
        R"("outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":)"
        R"({"name":"answer","schema":"{\"type\":\"object\"}"}}}}})");
}

TEST_CASE("bedrock: replies, thoughts that go back, ends and refusals") {
  const ModelReply plain =
      Bedrock()
          .decode(CloudsTestSaid(
              R"({"output":{"message":{"role":"assistant","content":[{"text":"I."}]}},)"
              R"("stopReason":"end_turn","usage":{"inputTokens":3,"outputTokens":1,"totalTokens":6,)"
              R"("cacheReadInputTokens":2}})"))
          .value();
  CHECK(plain.text == "I.");
  CHECK(plain.finish_reason == "stop");
  CHECK(plain.parts.empty());
  CHECK(plain.usage.input_tokens == 5);
  CHECK(plain.usage.cached_read_tokens == 2);

  const ModelReply thought =
      Bedrock()
          .decode(CloudsTestSaid(R"({"output":{"message":{"content":[{"reasoningContent":{"reasoningText":)"
                                 R"({"text":"hm","signature":"s"}}},{"text":"Look."},)"
                                 R"({"toolUse":{"toolUseId":"t","name":"look","input":{"q":1}}}]}},)"
                                 R"("stopReason":"tool_use"})"))
          .value();
  CHECK(thought.reasoning == "hm");
  REQUIRE(thought.tool_calls.size() == 1);
  CHECK(thought.tool_calls[0].arguments == R"({"q":1})");
  ModelRequest next = CloudsTestAsked("bedrock", "anthropic.claude-haiku-4-5-20251001-v1:0");
  next.messages.push_back(
      {.role = Role::kAssistant, .text = thought.text, .calls = thought.tool_calls, .parts = thought.parts});
  next.messages.push_back({.role = Role::kTool, .text = "one", .call_id = "t"});
  CHECK(Encoded(next).body.find(
            R"({"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm",)"
            R"("signature":"s"}}},{"text":"Look."},{"toolUse":{"toolUseId":"t")") != std::string::npos);

  const auto end_of = [](const char* word) {
    return Bedrock()
        .decode(CloudsTestSaid(
            std::string(R"({"output":{"message":{"content":[{"text":"x"}]}},"stopReason":")") + word + "\"}"))
        .value()
        .finish_reason;
  };
  CHECK(end_of("max_tokens") == "length");
  CHECK(end_of("stop_sequence") == "stop");
  CHECK(end_of("guardrail_intervened") == "content_filter");
  CHECK(end_of("malformed_tool_use") == "malformed_call");
  CHECK(end_of("COMPLETE") == "other");

  const HttpReply slow =
      CloudsTestSaid(R"({"message":"Too many requests, please wait before trying again."})", 429);
  CHECK(Bedrock().classify(slow) == ReplyClass::kRetry);
  CHECK(Bedrock().decode(slow).error().code == ErrorCode::kRateLimited);
  const HttpReply long_one = CloudsTestSaid(R"({"message":"Input is too long for requested model."})", 400);
  CHECK(Bedrock().decode(long_one).error().code == ErrorCode::kContextWindow);
  CHECK(Bedrock().decode(CloudsTestSaid("{}")).error().code == ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace assay
