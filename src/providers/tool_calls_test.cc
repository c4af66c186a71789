// Tests of tools and tool calls in every protocol: requests, whole and streamed replies, and hostile
// services.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include "providers/limits.h"
#include "providers/provider.h"
#include "providers/shapes/reply/reply_json.h"
#include "providers/shapes/tool_calls.h"
#include "text/json/json.h"

namespace assay {
namespace {

Value JsonOf(std::string_view text) {
  Result<Value> value = ParseJson(text);
  CAPTURE(text);
  REQUIRE(value);
  return *std::move(value);
}

// A question, two calls with what came of them, and a word between.
ModelRequest Offered(std::string_view provider) {
  ModelRequest request;
  request.provider = provider;
  request.model = "m";
  request.base_url = "http://h/v1";
  request.messages = {
      {Role::kSystem, "Be brief."},
      {Role::kUser, "Rain?"},
      {Role::kAssistant, "", {{"call_0", "search", R"({"q": "rain"})"}, {"x-1", "note", "{broken"}}, ""},
      {Role::kTool, "wet", {}, "call_0"},
      {Role::kTool, "no such tool", {}, "x-1"},
      {Role::kAssistant, "Hm.", {{"x-2", "search", ""}}, ""},
      {Role::kTool, "dry", {}, "x-2"},
  };
  request.tools = {{"search", "Looks it up", JsonOf(R"({"type":"object","properties":{"q":{}}})")},
                   {"note", "", {}}};
  request.tool_choice = "required";
  request.params.max_tokens = 9;
  return request;
}

void CheckMember(const Value& body, std::string_view name, std::string_view want) {
  CAPTURE(name);
  const Value* member = body.Find(name);
  REQUIRE(member != nullptr);
  CAPTURE(WriteJson(*member, JsonStyle::kJavaScript));
  CHECK(SameValue(*member, JsonOf(want)));
}

HttpReply Sent(std::string body, std::string type = "application/json") {
  HttpReply reply;
  reply.status = 200;
  reply.headers.push_back({"content-type", std::move(type)});
  reply.body = std::move(body);
  return reply;
}

std::string Stream(std::initializer_list<std::string_view> events) {
  std::string stream;
  for (const std::string_view event : events) stream += fmt::format("data: {}\n\n", event);
  return stream;
}

struct WantedCall {
  std::string_view id, name, arguments;
};

void CheckCalls(const Result<ModelReply>& reply, std::initializer_list<WantedCall> wanted) {
  REQUIRE(reply);
  REQUIRE(reply->tool_calls.size() == wanted.size());
  std::size_t i = 0;
  for (const WantedCall& want : wanted) {
    const ToolCall& call = reply->tool_calls[i++];
    CHECK(call.id == want.id);
    CHECK(call.name == want.name);
    CHECK(call.arguments == want.arguments);
  }
}

constexpr std::string_view kChatTools =
    R"([{"type":"function","function":{"name":"search","description":"Looks it up",)"
    R"("parameters":{"type":"object","properties":{"q":{}}}}},)"
    R"({"type":"function","function":{"name":"note","parameters":{"type":"object","properties":{}}}}])";

constexpr std::string_view kChatMessages =
    R"([{"role":"system","content":"Be brief."},{"role":"user","content":"Rain?"},)"
    R"({"role":"assistant","content":null,"tool_calls":[)"
    R"({"id":"call_0","type":"function","function":{"name":"search","arguments":"{\"q\": \"rain\"}"}},)"
    R"({"id":"x-1","type":"function","function":{"name":"note","arguments":"{broken"}}]},)"
    R"({"role":"tool","content":"wet","tool_call_id":"call_0"},)"
    R"({"role":"tool","content":"no such tool","tool_call_id":"x-1"},)"
    R"({"role":"assistant","content":"Hm.","tool_calls":[)"
    R"({"id":"x-2","type":"function","function":{"name":"search","arguments":"{}"}}]},)"
    R"({"role":"tool","content":"dry","tool_call_id":"x-2"}])";

constexpr std::string_view kAnthropicTools =
    R"([{"name":"search","description":"Looks it up",)"
    R"("input_schema":{"type":"object","properties":{"q":{}}}},)"
    R"({"name":"note","input_schema":{"type":"object","properties":{}}}])";

constexpr std::string_view kAnthropicMessages =
    R"([{"role":"user","content":"Rain?"},{"role":"assistant","content":[)"
    R"({"type":"tool_use","id":"call_0","name":"search","input":{"q":"rain"}},)"
    R"({"type":"tool_use","id":"x-1","name":"note","input":{}}]},)"
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0","content":"wet"},)"
    R"({"type":"tool_result","tool_use_id":"x-1","content":"no such tool"}]},)"
    R"({"role":"assistant","content":[{"type":"text","text":"Hm."},)"
    R"({"type":"tool_use","id":"x-2","name":"search","input":{}}]},)"
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"x-2","content":"dry"}]}])";

constexpr std::string_view kGoogleTools =
    R"([{"functionDeclarations":[{"name":"search","description":"Looks it up",)"
    R"("parametersJsonSchema":{"type":"object","properties":{"q":{}}}},)"
    R"({"name":"note","parametersJsonSchema":{"type":"object","properties":{}}}]}])";

// An id that the service did not give is not sent.
constexpr std::string_view kGoogleContents =
    R"([{"role":"user","parts":[{"text":"Rain?"}]},{"role":"model","parts":[)"
    R"({"functionCall":{"name":"search","args":{"q":"rain"}}},)"
    R"({"functionCall":{"id":"x-1","name":"note","args":{}}}]},)"
    R"({"role":"user","parts":[{"functionResponse":{"name":"search","response":{"result":"wet"}}},)"
    R"({"functionResponse":{"id":"x-1","name":"note","response":{"result":"no such tool"}}}]},)"
    R"({"role":"model","parts":[{"text":"Hm."},{"functionCall":{"id":"x-2","name":"search","args":{}}}]},)"
    R"({"role":"user","parts":[{"functionResponse":{"id":"x-2","name":"search",)"
    R"("response":{"result":"dry"}}}]}])";

Value BodyFor(const ModelRequest& request) {
  const Result<HttpRequest> wire = FindProvider(request.provider)->Encode(request);
  REQUIRE(wire);
  return JsonOf(wire->body);
}

}  // namespace

TEST_CASE("tools, calls and results go to every service of the chat protocol") {
  for (const std::string_view provider :
       {"openai", "azure-openai", "openrouter", "mistral", "groq", "together", "xai", "ollama", "deepseek",
        "fireworks", "perplexity", "cerebras", "openai-compatible"}) {
    CAPTURE(provider);
    const Value body = BodyFor(Offered(provider));
    CheckMember(body, "tools", kChatTools);
    CheckMember(body, "tool_choice", R"("required")");
    CheckMember(body, "messages", kChatMessages);
    const ProviderRow& row = *FindProvider(provider);
    HttpRequest wire = row.Encode(Offered(provider)).value();
    row.stream(wire);
    CheckMember(JsonOf(wire.body), "tools", kChatTools);
    ModelRequest none = Offered(provider);
    none.tools.clear();  // its choice means nothing then
    CHECK(BodyFor(none).Find("tools") == nullptr);
    CHECK(BodyFor(none).Find("tool_choice") == nullptr);
  }
}

TEST_CASE("tools, calls and results in the other protocols") {
  const Value responses = BodyFor(Offered("openai-responses"));
  CheckMember(
      responses, "tools",
      R"([{"type":"function","name":"search","description":"Looks it up",)"
      R"("parameters":{"type":"object","properties":{"q":{}}},"strict":false},)"
      R"({"type":"function","name":"note","parameters":{"type":"object","properties":{}},"strict":false}])");
  CheckMember(responses, "tool_choice", R"("required")");
  CheckMember(
      responses, "input",
      R"([{"role":"system","content":"Be brief."},{"role":"user","content":"Rain?"},)"
      R"({"type":"function_call","call_id":"call_0","name":"search","arguments":"{\"q\": \"rain\"}"},)"
      R"({"type":"function_call","call_id":"x-1","name":"note","arguments":"{broken"},)"
      R"({"type":"function_call_output","call_id":"call_0","output":"wet"},)"
      R"({"type":"function_call_output","call_id":"x-1","output":"no such tool"},)"
      R"({"role":"assistant","content":"Hm."},)"
      R"({"type":"function_call","call_id":"x-2","name":"search","arguments":"{}"},)"
      R"({"type":"function_call_output","call_id":"x-2","output":"dry"}])");

  const Value anthropic = BodyFor(Offered("anthropic"));
  CheckMember(anthropic, "tools", kAnthropicTools);
  CheckMember(anthropic, "tool_choice", R"({"type":"any"})");
  CheckMember(anthropic, "messages", kAnthropicMessages);
  CheckMember(anthropic, "system", R"("Be brief.")");

  const Value google = BodyFor(Offered("google"));
  CheckMember(google, "tools", kGoogleTools);
  CheckMember(google, "toolConfig", R"({"functionCallingConfig":{"mode":"ANY"}})");
  CheckMember(google, "contents", kGoogleContents);
}

TEST_CASE("a model that a suite describes takes tools as its family does, or says that it cannot") {
  ModelRequest request = Offered("custom");
  request.custom = JsonOf(R"({"inherit":"openai"})");
  CheckMember(BodyFor(request), "tools", kChatTools);
  CheckMember(BodyFor(request), "messages", kChatMessages);
  request.custom = JsonOf(R"({"inherit":"anthropic"})");
  CheckMember(BodyFor(request), "tools", kAnthropicTools);
  CheckMember(BodyFor(request), "tool_choice", R"({"type":"any"})");
  CheckMember(BodyFor(request), "messages", kAnthropicMessages);
  request.custom = JsonOf(R"({"inherit":"google"})");
  CheckMember(BodyFor(request), "tools", kGoogleTools);
  CheckMember(BodyFor(request), "contents", kGoogleContents);
  request.custom = JsonOf(R"({"inherit":"openai","format":"completions"})");
  CHECK(FindProvider("custom")->Encode(request).error().code == ErrorCode::kUnsupported);
  ModelRequest program = Offered("exec");
  program.model = "true";
  CHECK(FindProvider("exec")->Encode(program).error().code == ErrorCode::kUnsupported);
  CHECK(FindProvider("echo")->Encode(Offered("echo")).value().body == "Rain?");
}

TEST_CASE("calls come back whole, as they were written, each with an id of its own") {
  CheckCalls(FindProvider("openai")->decode(Sent(
                 R"({"choices":[{"finish_reason":"tool_calls","message":{"content":"Wait","tool_calls":[)"
                 R"({"id":"a","function":{"name":"f","arguments":"{ \"x\": 1.0 }"}},)"
                 R"({"function":{"name":"g","arguments":{"y":[2]}}},{"id":"a","function":{"name":"h"}},)"
                 R"({"id":"call_1","function":{"name":"i","arguments":""}},{"id":"z"},)"
                 R"({"id":" ","function":{"name":"","arguments":"nonsense"}}]}}]})")),
             {{"a", "f", "{ \"x\": 1.0 }"},
              {"call_2", "g", R"({"y":[2]})"},
              {"call_3", "h", ""},
              {"call_1", "i", ""},
              {"call_4", "", "nonsense"}});
  CheckCalls(FindProvider("openai-responses")
                 ->decode(Sent(R"({"object":"response","output":[{"type":"function_call","call_id":"c",)"
                               R"("name":"f","arguments":"{ }"},{"type":"function_call","name":"g"}]})")),
             {{"c", "f", "{ }"}, {"call_1", "g", ""}});
  CheckCalls(
      FindProvider("anthropic")
          ->decode(Sent(R"({"stop_reason":"tool_use","content":[{"type":"tool_use","id":"t","name":"f",)"
                        R"("input":{"x":1}},{"type":"tool_use"}]})")),
      {{"t", "f", R"({"x":1})"}, {"call_1", "", ""}});
  CheckCalls(FindProvider("google")->decode(
                 Sent(R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"f",)"
                      R"("args":{"x":1}}},{"functionCall":{"name":"g"}},{"functionCall":{"id":"k",)"
                      R"("name":"h","args":{}}}]},"finishReason":"STOP"}]})")),
             {{"call_0", "f", R"({"x":1})"}, {"call_1", "g", ""}, {"k", "h", "{}"}});
  CheckCalls(FindProvider("custom")->decode(
                 Sent(R"({"choices":[{"message":{"tool_calls":[{"function":{"name":"f"}}]}}]})")),
             {{"call_0", "f", ""}});
}

TEST_CASE("calls of tools that take a text, and the one call of older services") {
  CheckCalls(FindProvider("openai")->decode(
                 Sent(R"({"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[)"
                      R"({"id":"c","type":"custom","custom":{"name":"sql","input":"SELECT 1"}}]}}]})")),
             {{"c", "sql", "SELECT 1"}});
  CheckCalls(FindProvider("openai")->decode(
                 Sent(R"({"choices":[{"finish_reason":"function_call","message":{"content":null,)"
                      R"("function_call":{"name":"f","arguments":"{\"x\":1}"}}}]})")),
             {{"call_0", "f", R"({"x":1})"}});
  CheckCalls(FindProvider("openai")->decode(Sent(
                 Stream({R"({"choices":[{"delta":{"function_call":{"name":"f","arguments":"{\"x\""}}}]})",
                         R"({"choices":[{"delta":{"function_call":{"arguments":":1}"}}}]})",
                         R"({"choices":[{"delta":{"tool_calls":null},"finish_reason":"function_call"}]})"}),
                 "text/event-stream")),
             {{"call_0", "f", R"({"x":1})"}});
  CheckCalls(
      FindProvider("openai-responses")
          ->decode(Sent(R"({"object":"response","status":"completed","output":[)"
                        R"({"type":"custom_tool_call","call_id":"c","name":"sql","input":"SELECT 1"}]})")),
      {{"c", "sql", "SELECT 1"}});
}

TEST_CASE("what came of a tool of free text goes back as an output of its own kind") {
  // It was one of a function, which the service refuses: no call of a function has that id.
  const Result<ModelReply> said =
      FindProvider("openai-responses")
          ->decode(Sent(R"({"object":"response","status":"completed","output":[)"
                        R"({"type":"custom_tool_call","call_id":"c","name":"sql","input":"SELECT 1"},)"
                        R"({"type":"function_call","call_id":"f","name":"note","arguments":"{}"}]})"));
  REQUIRE(said);
  ModelRequest request = Offered("openai-responses");
  request.messages = {{.role = Role::kUser, .text = "Count"},
                      {.role = Role::kAssistant, .text = {}, .calls = said->tool_calls, .parts = said->parts},
                      {.role = Role::kTool, .text = "1", .call_id = "c"},
                      {.role = Role::kTool, .text = "ok", .call_id = "f"}};
  CheckMember(BodyFor(request), "input",
              R"([{"role":"user","content":"Count"},)"
              R"({"type":"custom_tool_call","call_id":"c","name":"sql","input":"SELECT 1"},)"
              R"({"type":"function_call","call_id":"f","name":"note","arguments":"{}"},)"
              R"({"type":"custom_tool_call_output","call_id":"c","output":"1"},)"
              R"({"type":"function_call_output","call_id":"f","output":"ok"}])");
}

TEST_CASE("calls that come in pieces are put together by their index") {
  CheckCalls(
      FindProvider("groq")->decode(Sent(
          Stream({R"({"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g"}}]}}]})",
                  R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f",)"
                  R"("arguments":""}}]}}]})",
                  R"({"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"x\""}},)"
                  R"({"index":0,"function":{"arguments":"{ }"}}]}}]})",
                  R"({"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":":1}"}}]}}]})",
                  R"({"choices":[{"delta":{},"finish_reason":"tool_calls"}]})", "[DONE]"}),
          "text/event-stream")),
      {{"b", "g", R"({"x":1})"}, {"a", "f", "{ }"}});
  // Whole calls, all of one index or of none.
  CheckCalls(FindProvider("ollama")->decode(
                 Sent(Stream({R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":)"
                              R"({"name":"f","arguments":"{}"}},{"index":0,"id":"b","function":)"
                              R"({"name":"g","arguments":{"y":2}}}]}}]})",
                              "[DONE]"}),
                      "text/event-stream")),
             {{"a", "f", "{}"}, {"b", "g", R"({"y":2})"}});
  CheckCalls(
      FindProvider("anthropic")
          ->decode(Sent(
              Stream(
                  {R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t",)"
                   R"("name":"f","input":{}}})",
                   R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"u",)"
                   R"("name":"g","input":{}}})",
                   R"({"type":"content_block_delta","index":0,"delta":{"partial_json":"{ \"x\":"}})",
                   R"({"type":"content_block_delta","index":0,"delta":{"partial_json":"1}"}})",
                   R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})",
                   R"({"type":"message_stop"})"}),
              "text/event-stream")),
      {{"t", "f", "{ \"x\":1}"}, {"u", "g", "{}"}});
  CheckCalls(
      FindProvider("google")->decode(
          Sent(Stream({R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]})",
                       R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"g"}}]},)"
                       R"("finishReason":"STOP"}]})"}),
               "text/event-stream")),
      {{"call_0", "f", "{}"}, {"call_1", "g", ""}});
  CheckCalls(
      FindProvider("openai-responses")
          ->decode(Sent(Stream({R"({"type":"response.output_item.done","output_index":0,"item":)"
                                R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}"}})",
                                R"({"type":"response.completed","response":{"object":"response"}})"}),
                        "text/event-stream")),
      {{"c", "f", "{}"}});
}

TEST_CASE("what a service wants to see again beside a call goes back to it, and to no other") {
  const Result<ModelReply> claude =
      FindProvider("anthropic")
          ->decode(Sent(R"({"stop_reason":"tool_use","content":[)"
                        R"({"type":"thinking","thinking":"hm","signature":"s"},)"
                        R"({"type":"redacted_thinking","data":"d"},)"
                        R"({"type":"tool_use","id":"t","name":"f","input":{}}]})"));
  REQUIRE(claude);
  const Result<ModelReply> gemini = FindProvider("google")->decode(
      Sent(R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"},)"
           R"("thoughtSignature":"sig"}]},"finishReason":"STOP"}]})"));
  REQUIRE(gemini);
  ModelRequest request;
  request.provider = "anthropic";
  request.messages = {
      {Role::kUser, "Hi"}, {Role::kAssistant, "", claude->tool_calls, ""}, {Role::kTool, "r", {}, "t"}};
  CheckMember(
      BodyFor(request), "messages",
      R"([{"role":"user","content":"Hi"},{"role":"assistant","content":[)"
      R"({"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"d"},)"
      R"({"type":"tool_use","id":"t","name":"f","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}])");
  request.provider = "google";
  CHECK(BodyFor(request).Find("contents")->AsList()[1].Find("parts")->AsList()[0].Find("thoughtSignature") ==
        nullptr);
  request.messages[1].calls = gemini->tool_calls;
  CheckMember(BodyFor(request).Find("contents")->AsList()[1].Find("parts")->AsList()[0], "thoughtSignature",
              R"("sig")");
  request.provider = "anthropic";
  CHECK(BodyFor(request).Find("messages")->AsList()[1].Find("content")->AsList().size() == 1);
}

TEST_CASE("made ids are told from those of earlier rounds") {
  std::vector<ToolCall> calls = {{"", "f", ""}, {"x", "g", ""}, {"", "h", ""}};
  REQUIRE(NameCalls(calls, {{Role::kAssistant, "", {{"call_0", "f", ""}, {"x", "g", ""}}, ""}}));
  CHECK(calls[0].id == "call_1");
  CHECK(calls[1].id == "call_2");
  CHECK(calls[2].id == "call_3");
  CHECK(IsMadeCallId("call_12"));
  CHECK(!IsMadeCallId("call_1a"));
  CHECK(!IsMadeCallId("call_"));
}

TEST_CASE("a reply may call so many tools with so much, and no more") {
  const auto chat = [](const std::string& calls) {
    return FindProvider("openai")->decode(
        Sent(fmt::format(R"({{"choices":[{{"message":{{"tool_calls":[{}]}}}}]}})", calls)));
  };
  std::string many = R"({"id":"a","function":{"name":"f","arguments":"{}"}})";
  const std::string one = "," + many;
  for (std::size_t i = 1; i < limits::kReplyCallsMax; ++i) many += one;
  const Result<ModelReply> full = chat(many);
  REQUIRE(full);
  CHECK(full->tool_calls.size() == limits::kReplyCallsMax);
  CHECK(full->tool_calls.back().id == fmt::format("call_{}", limits::kReplyCallsMax - 1));
  for (std::size_t i = 0; i < 9'000; ++i) many += one;
  CHECK(chat(many).error().code == ErrorCode::kLimit);
  const std::string long_arguments(10'000'000, '1');
  CHECK(chat(R"({"function":{"name":"f","arguments":")" + long_arguments + "\"}}").error().code ==
        ErrorCode::kLimit);
  const std::string long_id(limits::kCallIdBytesMax + 1, 'i');
  CheckCalls(chat(R"({"id":")" + long_id + R"(","function":{"name":"f"}})"), {{"call_0", "f", ""}});
  // What is no call is none; nothing of it crashes.
  for (const char* junk : {"1", "null", "\"f\"", "[]", "{}", R"({"function":[]})", R"({"function":null})"}) {
    CAPTURE(junk);
    CHECK(chat(junk));
    for (const char* provider : {"anthropic", "google", "openai-responses", "custom"})
      (void)FindProvider(provider)->decode(
          Sent(fmt::format(R"({{"object":"response","content":[{0}],"output":[{0}],)"
                           R"("candidates":[{{"content":{{"parts":[{0}]}}}}]}})",
                           junk)));
  }
}

}  // namespace assay
