// Tests of the services' codecs, by pairs of requests and replies written from their public documentation.
#include <doctest/doctest.h>

#include <algorithm>

#include "providers/provider.h"
#include "providers/shapes/reply/reply_json.h"
#include "spec/exchange/tool_calls.h"
#include "text/json/json.h"

namespace assay {
namespace {

ModelRequest Asked(std::string_view provider, std::string model) {
  ModelRequest request;
  request.provider = provider;
  request.model = std::move(model);
  request.messages = {{Role::kSystem, "Be \"brief\"."},
                      {Role::kUser, "Hi\n\xE2\x82\xAC"},
                      {Role::kAssistant, "Yes?"},
                      {Role::kUser, "Go"}};
  request.params.temperature = 0.5;
  return request;
}

HttpReply Answered(int status, std::string body, std::string type = "application/json") {
  HttpReply reply;
  reply.status = status;
  reply.headers.push_back({"content-type", std::move(type)});
  reply.body = std::move(body);
  return reply;
}

void CheckJson(const std::string& got, std::string_view want) {
  const Result<Value> a = ParseJson(got);
  const Result<Value> b = ParseJson(want);
  REQUIRE(b);
  CAPTURE(got);
  CHECK((a && SameValue(*a, *b)));
}

constexpr std::string_view kChat =
    R"([{"role":"system","content":"Be \"brief\"."},{"role":"user","content":"Hi\n€"},)"
    R"({"role":"assistant","content":"Yes?"},{"role":"user","content":"Go"}])";

struct WrongRow {
  std::string_view provider;
  int status;
  std::string_view body;
  ErrorCode code;
  ReplyClass reply_class;
  std::string_view words;
};

void CheckWrong(const WrongRow& row) {
  CAPTURE(row.body);
  const ProviderRow& provider = *FindProvider(row.provider);
  const HttpReply reply = Answered(row.status, std::string(row.body));
  CHECK(provider.classify(reply) == row.reply_class);
  Result<ModelReply> decoded = provider.decode(reply);
  if (decoded) decoded = SpokenReply(*std::move(decoded));
  REQUIRE(!decoded);
  CHECK(decoded.error().code == row.code);
  CHECK(decoded.error().message.find(row.words) != std::string::npos);
}

}  // namespace

TEST_CASE("what each service is sent, and where") {
  struct Row {
    std::string_view provider, model, url, body;  // %M stands for the messages
  };
  const Row rows[] = {
      {"openai", "gpt-4o", "https://api.openai.com/v1/chat/completions",
       R"({"model":"gpt-4o","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"openai", "o3-mini", "https://api.openai.com/v1/chat/completions",
       R"({"model":"o3-mini","messages":%M,"max_completion_tokens":1500,"stream":false})"},
      {"openai", "gpt-5-mini", "https://api.openai.com/v1/chat/completions",
       R"({"model":"gpt-5-mini","messages":%M,"max_completion_tokens":1500,"stream":false})"},
      {"openai", "gpt-6-astra", "https://api.openai.com/v1/chat/completions",
       R"({"model":"gpt-6-astra","messages":%M,"max_completion_tokens":1500,"stream":false})"},
      {"mistral", "mistral-large", "https://api.mistral.ai/v1/chat/completions",
       R"({"model":"mistral-large","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"together", "org/m", "https://api.together.xyz/v1/chat/completions",
       R"({"model":"org/m","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"xai", "grok-4", "https://api.x.ai/v1/chat/completions",
       R"({"model":"grok-4","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"groq", "llama", "https://api.groq.com/openai/v1/chat/completions",
       R"({"model":"llama","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"ollama", "llama", "http://127.0.0.1:11434/v1/chat/completions",
       R"({"model":"llama","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"deepseek", "deepseek-v4-pro", "https://api.deepseek.com/v1/chat/completions",
       R"({"model":"deepseek-v4-pro","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"fireworks", "m", "https://api.fireworks.ai/inference/v1/chat/completions",
       R"({"model":"m","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"perplexity", "sonar", "https://api.perplexity.ai/chat/completions",
       R"({"model":"sonar","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"cerebras", "m", "https://api.cerebras.ai/v1/chat/completions",
       R"({"model":"m","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"cohere", "command-a-03-2025", "https://api.cohere.com/v2/chat",
       R"({"model":"command-a-03-2025","messages":%M,"temperature":0.5,"max_tokens":1500,"stream":false})"},
      {"openrouter", "a/b:free", "https://openrouter.ai/api/v1/chat/completions",
       R"({"model":"a/b:free","messages":%M,"temperature":0.5,"stream":false})"},
      {"anthropic", "claude-x", "https://api.anthropic.com/v1/messages",
       R"({"model":"claude-x","system":"Be \"brief\".","messages":[{"role":"user","content":"Hi\n€"},)"
       R"({"role":"assistant","content":"Yes?"},{"role":"user","content":"Go"}],)"
       R"("max_tokens":1500,"temperature":0.5,"stream":false})"},
      {"google", "gemini-x",
       "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent",
       R"({"systemInstruction":{"parts":[{"text":"Be \"brief\"."}]},)"
       R"("contents":[{"role":"user","parts":[{"text":"Hi\n€"}]},{"role":"model","parts":[{"text":"Yes?"}]},)"
       R"({"role":"user","parts":[{"text":"Go"}]}],)"
       R"("generationConfig":{"temperature":0.5,"maxOutputTokens":1500}})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    const ProviderRow* provider = FindProvider(row.provider);
    REQUIRE(provider != nullptr);
    const Result<HttpRequest> wire = provider->Encode(Asked(row.provider, std::string(row.model)));
    REQUIRE(wire);
    CHECK(wire->url == row.url);
    CHECK(wire->url.starts_with(provider->base_url));
    std::string want(row.body);
    if (const std::size_t at = want.find("%M"); at != std::string::npos) want.replace(at, 2, kChat);
    CheckJson(wire->body, want);
    for (const HttpHeader& header : wire->headers) CHECK(header.name != provider->key.header);
  }
}

TEST_CASE("a base URL replaces the service's own, with or without a slash or the version") {
  struct Row {
    std::string_view provider, base_url, url;
  };
  const Row rows[] = {
      {"openai", "http://h:1/v1/", "http://h:1/v1/chat/completions"},
      {"anthropic", "http://h", "http://h/v1/messages"},
      {"anthropic", "http://h/v1", "http://h/v1/messages"},
      {"google", "http://h/v1beta", "http://h/v1beta/models/m%3F:generateContent"},
      {"openai-compatible", "http://h/x", "http://h/x/chat/completions"},
      {"azure-openai", "https://r.openai.azure.com/openai/v1",
       "https://r.openai.azure.com/openai/v1/chat/completions"},
      {"azure-openai", "https://r.openai.azure.com/openai?api-version=2024-10-21",
       "https://r.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21"},
      {"azure-openai", "https://r.openai.azure.com/?api-version=2024-10-21",
       "https://r.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21"},
      {"azure-openai", "https://r.openai.azure.com/openai/deployments/d/?api-version=2024-10-21",
       "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21"},
      {"azure-openai", "https://r.openai.azure.com/openai/v1/?api-version=preview",
       "https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview"},
      {"cohere", "http://h", "http://h/v2/chat"},
      {"cohere", "http://h/v2/", "http://h/v2/chat"},
      {"google", "http://h/v1beta?key=k", "http://h/v1beta/models/m%3F:generateContent?key=k"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    ModelRequest request = Asked(row.provider, row.provider == "google" ? "m?" : "m");
    request.base_url = row.base_url;
    CHECK(FindProvider(row.provider)->Encode(request).value().url == row.url);
  }
  CHECK(!FindProvider("openai-compatible")->Encode(Asked("openai-compatible", "m")));
}

TEST_CASE("models that only the Responses API leads to are asked by it at Azure and xAI too") {
  const struct {
    std::string_view provider, model, base_url, url;
  } rows[] = {
      {"azure-openai", "gpt-5-pro", "https://r.openai.azure.com/openai/v1",
       "https://r.openai.azure.com/openai/v1/responses"},
      {"azure-openai", "gpt-5-pro", "https://r.openai.azure.com?api-version=2025-04-01-preview",
       "https://r.openai.azure.com/openai/responses?api-version=2025-04-01-preview"},
      {"azure-openai", "gpt-5-pro", "https://r.openai.azure.com/openai/deployments/d?api-version=1",
       "https://r.openai.azure.com/openai/responses?api-version=1"},
      {"xai", "grok-4.20-multi-agent", "", "https://api.x.ai/v1/responses"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.base_url);
    ModelRequest request = Asked(row.provider, std::string(row.model));
    request.base_url = row.base_url;
    HttpRequest wire = FindProvider(row.provider)->Encode(request).value();
    CHECK(wire.url == row.url);
    FindProvider(row.provider)->stream(wire);
    CHECK(wire.body.ends_with(R"("stream":true})"));
  }
}

TEST_CASE("who sets no limit of tokens is sent none, but where the service needs one") {
  for (const ProviderRow& row : ProviderTable()) {
    if (row.route != Route::kHttp || row.name == "custom") continue;
    CAPTURE(row.name);
    ModelRequest request = Asked(row.name, row.name == "anthropic" ? "claude-haiku-4-5" : "m");
    request.base_url = "http://h/v1";
    request.room = kNoLimit;
    const std::string body = row.Encode(request).value().body;
    const bool has_limit =
        body.find("max_") != std::string::npos || body.find("maxOutput") != std::string::npos;
    CHECK(has_limit == (row.name == "anthropic"));
    if (has_limit) CHECK(body.find("\"max_tokens\":64000") != std::string::npos);
    request.room = 0;
    request.params.max_tokens = 77;
    CHECK(row.Encode(request).value().body.find(":77") != std::string::npos);
  }
  ModelRequest custom = Asked("custom", "m");
  custom.base_url = "http://h/v1";
  custom.room = kNoLimit;
  for (const std::string_view family : {"openai", "google", "anthropic"}) {
    Map described;
    described.Append("inherit", family);
    custom.custom = Value(std::move(described));
    const std::string body = FindProvider("custom")->Encode(custom).value().body;
    CHECK((body.find("\"max") != std::string::npos) == (family == "anthropic"));
  }
}

TEST_CASE("answers, thoughts, tool calls and usage stay apart") {
  struct Row {
    std::string_view provider, body, text, reasoning, finish, with_calls;
    std::int64_t input, output, thought;
  };
  const Row rows[] = {
      {"openai",
       R"({"choices":[{"message":{"role":"assistant","content":"  Hi \n"},"finish_reason":"stop"}],)"
       R"("usage":{"prompt_tokens":3,"completion_tokens":5,)"
       R"("completion_tokens_details":{"reasoning_tokens":2}}})",
       "Hi", "", "stop", "", 3, 5, 2},
      {"openrouter",
       R"({"choices":[{"message":{"content":" Hi ","reasoning":"hm"},"finish_reason":"length"}]})", " Hi ",
       "hm", "length", "", 0, 0, 0},
      {"together",
       R"({"choices":[{"message":{"content":"Hi","reasoning_content":"hm"},"finish_reason":"eos"}]})", "Hi",
       "hm", "stop", "", 0, 0, 0},
      {"mistral",
       R"({"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},)"
       R"({"type":"text","text":"Hi"}]},"finish_reason":"stop"}]})",
       "Hi", "hm", "stop", "", 0, 0, 0},
      {"openai",
       R"({"choices":[{"message":{"content":null,"tool_calls":[{"id":"c","type":"function",)"
       R"("function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]})",
       "", "", "tool_calls", "TOOL_CALL {\"name\":\"f\",\"arguments\":{\"a\":1}}", 0, 0, 0},
      {"anthropic",
       R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text",)"
       R"("text":"Hi "},{"type":"text","text":"you"},)"
       R"({"type":"tool_use","id":"t","name":"f","input":{}}],"stop_reason":"tool_use",)"
       R"("usage":{"input_tokens":2,"cache_read_input_tokens":5,"output_tokens":4}})",
       "Hi you", "hm", "tool_calls", "TOOL_CALL {\"name\":\"f\",\"arguments\":{}}\nHi you", 7, 4, 0},
      {"google",
       R"({"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"Hi"}]},)"
       R"("finishReason":"STOP"}],)"
       R"("usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":2}})",
       "Hi", "hm", "stop", "", 3, 6, 2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    const Result<ModelReply> reply = FindProvider(row.provider)->decode(Answered(200, std::string(row.body)));
    REQUIRE(reply);
    CHECK(reply->text == row.text);
    CHECK(reply->reasoning == row.reasoning);
    CHECK(reply->finish_reason == row.finish);
    CHECK(reply->tool_calls.empty() == row.with_calls.empty());
    CHECK(TextWithCalls(*reply) == (row.with_calls.empty() ? row.text : row.with_calls));
    CHECK(reply->usage.input_tokens == row.input);
    CHECK(reply->usage.output_tokens == row.output);
    CHECK(reply->usage.reasoning_tokens == row.thought);
    CHECK(reply->usage.known == (row.input > 0));
  }
}

TEST_CASE("streams of events are put together") {
  const std::string chat =
      "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"Hi \"}}]}\n\n: ping\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"you\"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n";
  const ProviderRow& openai = *FindProvider("openai");
  const Result<ModelReply> reply =
      openai.decode(Answered(200, chat + "data: [DONE]\n\n", "text/event-stream"));
  REQUIRE(reply);
  CHECK(reply->text == "Hi you");
  CHECK(reply->reasoning == "hm");
  CHECK(reply->finish_reason == "stop");
  CHECK(reply->usage.output_tokens == 2);
  const std::string cut = chat.substr(0, chat.find(": ping"));
  CHECK(openai.decode(Answered(200, cut, "text/event-stream")).error().code == ErrorCode::kCorrupt);

  const std::string claude =
      "event: message_start\ndata: "
      "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n"
      "data: "
      "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
      "data: "
      "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n"
      "data: "
      "{\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"name\":\"f\"}"
      "}\n\n"
      "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"partial_json\":\"{\\\"a\\\":\"}}\n\n"
      "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"partial_json\":\"1}\"}}\n\n"
      "data: "
      "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":4}}"
      "\n\n";
  const ProviderRow& anthropic = *FindProvider("anthropic");
  const Result<ModelReply> whole =
      anthropic.decode(Answered(200, claude + "data: {\"type\":\"message_stop\"}\n\n", "text/event-stream"));
  REQUIRE(whole);
  CHECK(TextWithCalls(*whole) == "TOOL_CALL {\"name\":\"f\",\"arguments\":{\"a\":1}}\nHi");
  CHECK(whole->usage.input_tokens == 3);
  CHECK(whole->usage.output_tokens == 4);
  CHECK(anthropic.decode(Answered(200, claude, "text/event-stream")).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("what went wrong, and whether it may pass") {
  const WrongRow rows[] = {
      {"openai", 401, R"({"error":{"message":"bad key"}})", ErrorCode::kRefused, ReplyClass::kFail,
       "bad key"},
      {"openai", 404, R"({"error":{"message":"no model"}})", ErrorCode::kNotFound, ReplyClass::kFail,
       "no model"},
      {"openai", 400, "nonsense", ErrorCode::kInvalidInput, ReplyClass::kFail, "nonsense"},
      {"openai", 429, R"({"error":{"message":"slow down"}})", ErrorCode::kRateLimited, ReplyClass::kRetry,
       "slow down"},
      {"openai", 429, R"({"error":{"code":"insufficient_quota"}})", ErrorCode::kRateLimited,
       ReplyClass::kFail, "429"},
      {"google", 429,
       R"({"error":{"code":429,"message":"quota","details":[{"violations":[{"quotaId":"RequestsPerDay"}]},)"
       R"({"retryDelay":"3s"}]}})",
       ErrorCode::kRateLimited, ReplyClass::kFail, "quota"},
      {"openai", 401, R"({"error":{"message":"bad key"}})", ErrorCode::kRefused, ReplyClass::kFail,
       "check the key"},
      {"openai", 402, R"({"error":{"message":"broke"}})", ErrorCode::kInvalidInput, ReplyClass::kFail,
       "credit"},
      {"openai", 404, "<!DOCTYPE html><html><title>Front door</title></html>", ErrorCode::kNotFound,
       ReplyClass::kFail, "a page of the web (\"Front door\")"},
      {"openai", 200, "<html><title>Sign in</title></html>", ErrorCode::kCorrupt, ReplyClass::kOk, "Sign in"},
      // Of one question, whatever the status.
      {"azure-openai", 400,
       R"({"error":{"code":"content_filter","message":"held",)"
       R"("innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
       ErrorCode::kContentFilter, ReplyClass::kFail, "held"},
      {"openrouter", 403,
       R"({"error":{"code":403,"message":"moderation",)"
       R"("metadata":{"reasons":["violence"],"flagged_input":"x"}}})",
       ErrorCode::kContentFilter, ReplyClass::kFail, "moderation"},
      {"openai", 400, R"({"error":{"code":"context_length_exceeded","message":"too many"}})",
       ErrorCode::kContextWindow, ReplyClass::kFail, "too many"},
      {"anthropic", 400, R"({"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}})",
       ErrorCode::kContextWindow, ReplyClass::kFail, "210000"},
      {"xai", 400,
       R"({"code":"invalid-argument","error":"This model's maximum prompt length is 131072 but the request )"
       R"(contains 140000 tokens."})",
       ErrorCode::kContextWindow, ReplyClass::kFail, "140000"},
      {"cohere", 400,
       R"({"message":"too many tokens: size limit exceeded by 1234 tokens. Try a shorter one."})",
       ErrorCode::kContextWindow, ReplyClass::kFail, "1234"},
      {"bedrock", 429, R"({"message":"Too many tokens, please wait before trying again."})",
       ErrorCode::kRateLimited, ReplyClass::kRetry, "wait"},
      {"openai", 503, "", ErrorCode::kService, ReplyClass::kRetry, "503"},
      {"anthropic", 529, R"({"type":"error","error":{"message":"overloaded"}})", ErrorCode::kRateLimited,
       ReplyClass::kRetry, "overloaded"},
      {"google", 400, R"({"error":{"code":400,"message":"bad"}})", ErrorCode::kInvalidInput,
       ReplyClass::kFail, "bad"},
      // A success in name only: the status says nothing, the codec does.
      {"openrouter", 200, R"({"error":{"code":502,"message":"upstream"}})", ErrorCode::kService,
       ReplyClass::kOk, "upstream"},
      {"openai", 200, R"({"choices":[{"mess)", ErrorCode::kCorrupt, ReplyClass::kOk, "JSON"},
      {"openai", 200, "", ErrorCode::kCorrupt, ReplyClass::kOk, "nothing"},
      {"openai", 200, R"({"choices":[]})", ErrorCode::kCorrupt, ReplyClass::kOk, "choices"},
      {"openai", 200, R"({"choices":[{"message":{"content":" "},"finish_reason":"stop"}]})",
       ErrorCode::kCorrupt, ReplyClass::kOk, "no text"},
      {"openai", 200,
       R"({"choices":[{"message":{"content":""},"finish_reason":"length"}],)"
       R"("usage":{"completion_tokens":1500,)"
       R"("completion_tokens_details":{"reasoning_tokens":1500}}})",
       ErrorCode::kNoAnswer, ReplyClass::kOk, "all of its 1500 output tokens"},
      {"openai", 200, R"({"choices":[{"message":{"content":null},"finish_reason":"content_filter"}]})",
       ErrorCode::kContentFilter, ReplyClass::kOk, "held the answer back"},
      {"openai", 200, R"({"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]})",
       ErrorCode::kRefusal, ReplyClass::kOk, "refused: \"No.\"; word"},
  };
  for (const WrongRow& row : rows) CheckWrong(row);
}

TEST_CASE("what one question is too large for, and what nobody who asks gets, is told apart by words") {
  const WrongRow rows[] = {
      {"anthropic", 413, R"({"error":{"type":"request_too_large","message":"exceeds the maximum size"}})",
       ErrorCode::kContextWindow, ReplyClass::kFail, "maximum size"},
      {"openai", 429, R"({"error":{"code":"rate_limit_exceeded","message":"Request too large for it"}})",
       ErrorCode::kContextWindow, ReplyClass::kRetry, "too large"},
      // Of every question, until somebody pays or the day is over.
      {"openai", 429, R"({"error":{"code":"insufficient_quota"}})", ErrorCode::kRateLimited,
       ReplyClass::kFail, "see its plan"},
      {"anthropic", 400, R"({"error":{"message":"Your credit balance is too low"}})",
       ErrorCode::kInvalidInput, ReplyClass::kFail, "top it up"},
      {"bedrock", 429, R"({"message":"Too many tokens per day, please wait"})", ErrorCode::kRateLimited,
       ReplyClass::kFail, "continue tomorrow"},
      {"groq", 498, R"({"error":{"message":"no capacity"}})", ErrorCode::kRateLimited, ReplyClass::kRetry,
       "no capacity"},
  };
  for (const WrongRow& row : rows) CheckWrong(row);
}

TEST_CASE("what was broken off or held back is no answer, whatever it holds") {
  const WrongRow rows[] = {
      {"openai", 200, R"({"choices":[{"message":{"content":"Half"},"finish_reason":"content_filter"}]})",
       ErrorCode::kContentFilter, ReplyClass::kOk, "held the answer back"},
      {"openrouter", 200,
       R"({"choices":[{"finish_reason":"error","error":{"code":502,"message":"upstream"},)"
       R"("message":{"content":"Half"}}]})",
       ErrorCode::kService, ReplyClass::kOk, "upstream"},
      {"mistral", 200, R"({"choices":[{"message":{"content":"Half"},"finish_reason":"error"}]})",
       ErrorCode::kService, ReplyClass::kOk, "broke the answer off"},
      {"anthropic", 200, R"({"content":[{"type":"text","text":"Half"}],"stop_reason":"refusal"})",
       ErrorCode::kRefusal, ReplyClass::kOk, "the model refused"},
      {"anthropic", 200,
       R"({"content":[],"stop_reason":"refusal","stop_details":{"type":"refusal","category":"bio",)"
       R"("explanation":"It could harm."}})",
       ErrorCode::kRefusal, ReplyClass::kOk, "It could harm."},
      {"openai-responses", 200,
       R"({"object":"response","status":"completed","output":[{"type":"message","content":[)"
       R"({"type":"refusal","refusal":"I won't."}]}]})",
       ErrorCode::kRefusal, ReplyClass::kOk, "I won't."},
      {"anthropic", 200, R"({"content":[{"type":"text","text":"Half"}],"stop_reason":"pause_turn"})",
       ErrorCode::kPausedTurn, ReplyClass::kOk, "service's own tools"},
      {"anthropic", 200,
       R"({"content":[{"type":"text","text":"Half"}],"stop_reason":"model_context_window_exceeded"})",
       ErrorCode::kContextWindow, ReplyClass::kOk, "longer than the model's context"},
      {"google", 200,
       R"({"candidates":[{"content":{"parts":[{"text":"Half"}]},"finishReason":"RECITATION"}]})",
       ErrorCode::kRecitation, ReplyClass::kOk, "repeats a source"},
      {"google", 200, R"({"candidates":[{"content":{"parts":[{"text":"Half"}]},"finishReason":"SPII"}]})",
       ErrorCode::kPersonalData, ReplyClass::kOk, "personal data"},
      {"google", 200, R"({"candidates":[{"finishReason":"IMAGE_SAFETY"}]})", ErrorCode::kImageWithheld,
       ReplyClass::kOk, "image"},
      {"google", 200, R"({"candidates":[{"finishReason":"LANGUAGE"}]})", ErrorCode::kLanguage,
       ReplyClass::kOk, "language"},
      {"google", 200, R"({"candidates":[{"finishReason":"OTHER"}]})", ErrorCode::kBrokenOff, ReplyClass::kOk,
       "does not say why"},
      {"google", 200, R"({"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]})",
       ErrorCode::kMalformedCall, ReplyClass::kOk, "broken call"},
      {"google", 200, R"({"candidates":[{"finishReason":"MALFORMED_RESPONSE"}]})", ErrorCode::kMalformedReply,
       ReplyClass::kOk, "could not read"},
      {"anthropic", 200, R"({"content":[],"stop_reason":"max_tokens"})", ErrorCode::kNoAnswer,
       ReplyClass::kOk, "before it answered"},
      {"google", 200, R"({"promptFeedback":{"blockReason":"SAFETY"}})", ErrorCode::kContentFilter,
       ReplyClass::kOk, "SAFETY"},
  };
  for (const WrongRow& row : rows) CheckWrong(row);
}

TEST_CASE("custom models: families, mapped parameters, plain completions") {
  struct Row {
    std::string_view custom, body;
  };
  const Row rows[] = {
      {R"({"inherit":"openai","parameters":{"max_tokens":null,"foo":1},)"
       R"("parameterMapping":{"temperature":"temp"}})",
       R"({"model":"m","stream":false,"temp":0.5,"messages":%M,"foo":1})"},
      {R"({"inherit":"together","format":"completions"})",
       R"({"model":"m","stream":false,"temperature":0.5,"max_tokens":1500,)"
       R"("prompt":"Be \"brief\".\n\nUser: Hi\n€\nAssistant: Yes?\nUser: Go\nAssistant:"})"},
      {R"({"inherit":"x","format":"completions","promptFormat":"raw"})",
       R"({"model":"m","stream":false,"temperature":0.5,"max_tokens":1500,)"
       R"("prompt":"Be \"brief\".\n\nHi\n€\n\nYes?\n\nGo"})"},
      {R"({"inherit":"anthropic"})",
       R"({"model":"m","stream":false,"temperature":0.5,"max_tokens":1500,"system":"Be \"brief\".",)"
       R"("messages":)"
       R"([{"role":"user","content":"Hi\n€"},{"role":"assistant","content":"Yes?"},{"role":"user",)"
       R"("content":"Go"}]})"},
      {R"({"inherit":"google","parameters":{"temperature":null,"topK":5,)"
       R"("thinkingConfig":{"thinkingLevel":"LOW"},)"
       R"("generationConfig":{"seed":7},"safetySettings":[]}})",
       R"({"generationConfig":{"maxOutputTokens":1500,"topK":5,)"
       R"("thinkingConfig":{"thinkingLevel":"LOW"},"seed":7},)"
       R"("systemInstruction":{"parts":[{"text":"Be \"brief\"."}]},"contents":)"
       R"([{"role":"user","parts":[{"text":"Hi\n€"}]},{"role":"model","parts":[{"text":"Yes?"}]},)"
       R"({"role":"user","parts":[{"text":"Go"}]}],"safetySettings":[]})"},
      {R"({"inherit":"google"})",
       R"({"generationConfig":{"temperature":0.5,"maxOutputTokens":1500},)"
       R"("systemInstruction":{"parts":[{"text":"Be \"brief\"."}]},"contents":)"
       R"([{"role":"user","parts":[{"text":"Hi\n€"}]},{"role":"model","parts":[{"text":"Yes?"}]},)"
       R"({"role":"user","parts":[{"text":"Go"}]}]})"},
  };
  const ProviderRow& custom = *FindProvider("custom");
  for (const Row& row : rows) {
    CAPTURE(row.custom);
    ModelRequest request = Asked("custom", "m");
    request.base_url = "https://h/chat?x=1";
    request.custom = ParseJson(row.custom).value();
    const HttpRequest wire = custom.Encode(request).value();
    CHECK(wire.url == "https://h/chat?x=1");
    std::string want(row.body);
    if (const std::size_t at = want.find("%M"); at != std::string::npos) want.replace(at, 2, kChat);
    CheckJson(wire.body, want);
    const bool says_version =
        std::any_of(wire.headers.begin(), wire.headers.end(), [](const HttpHeader& each) {
          return each.name == "anthropic-version" && each.value == "2023-06-01";
        });
    CHECK(says_version == (row.custom.find("\"anthropic\"") != std::string_view::npos));
  }
  CHECK(!custom.Encode(Asked("custom", "m")));
  CHECK(custom.decode(Answered(200, R"({"choices":[{"text":" a "}]})")).value().text == "a");
  CHECK(custom.decode(Answered(200, R"({"content":[{"type":"text","text":"b"}]})")).value().text == "b");
  CHECK(
      custom.decode(Answered(200, R"({"candidates":[{"content":{"parts":[{"text":"c"}]}}]})")).value().text ==
      "c");
}

TEST_CASE("embeddings, in the order of the texts") {
  EmbedRequest request;
  request.provider = "openai";
  request.model = "text-embedding-3-small";
  request.texts = {"a\nb", "c"};
  const HttpRequest openai = FindProvider("openai")->encode_embedding(request).value();
  CHECK(openai.url == "https://api.openai.com/v1/embeddings");
  CheckJson(openai.body, R"({"model":"text-embedding-3-small","input":["a\nb","c"],"dimensions":1536,)"
                         R"("encoding_format":"float"})");
  const HttpRequest together = FindProvider("together")->encode_embedding(request).value();
  CheckJson(together.body,
            R"({"model":"text-embedding-3-small","input":["a b","c"],"encoding_format":"float"})");

  const auto decode = FindProvider("openai")->decode_embedding;
  const EmbedReply reply =
      decode(Answered(200, R"({"data":[{"index":1,"embedding":[3]},{"index":0,"embedding":[1,2]}],)"
                           R"("usage":{"prompt_tokens":4}})"))
          .value();
  CHECK(reply.vectors == std::vector<std::vector<double>>{{1, 2}, {3}});
  CHECK(reply.usage.input_tokens == 4);
  for (const std::string_view body :
       {R"({"data":[{"index":5,"embedding":[1]}]})", R"({"data":[{"embedding":["x"]}]})",
        R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})", "{}"}) {
    CHECK(decode(Answered(200, std::string(body))).error().code == ErrorCode::kCorrupt);
  }
}

TEST_CASE("an end of Cohere's stream that is no object is an answer without a reason") {
  HttpReply reply;
  reply.status = 200;
  reply.headers = {{"content-type", "text/event-stream"}};
  reply.body =
      "data: {\"type\":\"content-delta\",\"index\":0,\"delta\":{\"message\":{\"content\":{\"type\":\"text\","
      "\"text\":\"Hi\"}}}}\n\n"
      "data: {\"type\":\"message-end\",\"delta\":\"over\"}\n\n";
  const Result<ModelReply> decoded = FindProvider("cohere")->decode(reply);
  REQUIRE(decoded);
  CHECK(decoded->text == "Hi");
}

}  // namespace assay
