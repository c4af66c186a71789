// Tests of the canonical form of requests, byte for byte: the keys of stored replies are made of it.
#include "spec/exchange/request.h"

#include <doctest/doctest.h>

#include "spec/exchange/tool_calls.h"
#include "text/json/json.h"

namespace assay {
namespace {

ModelRequest Plain() {
  ModelRequest request;
  request.provider = "openai";
  request.model = "gpt-4o";
  request.messages = {{Role::kSystem, "Be brief."}, {Role::kUser, "Say \"hi\"\n"}};
  request.params.temperature = 0;
  return request;
}

TEST_CASE("the canonical form of model calls is what it always was") {
  CHECK(CanonicalText(Plain()) ==
        R"({"v":1,"model_call":"openai","model":"gpt-4o","messages":[{"system":"Be brief."},)"
        R"({"user":"Say \"hi\"\n"}],"temperature":0})");
  CHECK(Hex(KeyOf(CanonicalText(Plain()))) ==
        "13412269323aeee5d95e38e80cd8576e2ebfd3019276486c5a31bd22d4b83eb5");

  ModelRequest full = Plain();
  full.base_url = "http://h/v1";
  full.messages.resize(1);
  full.params = {.temperature = 0.7, .top_p = 0.25, .max_tokens = 500, .seed = -3, .stop = {"END", "\n"}};
  full.attempt = 2;
  full.vote = 1;
  full.source = "fixtures:ab#cd";
  Map custom;
  custom.Append("id", "custom:m");
  custom.Append("inherit", "openai");
  custom.Append("parameters", Value(Map()));
  full.custom = Value(std::move(custom));
  CHECK(CanonicalText(full) ==
        R"({"v":1,"model_call":"openai","model":"gpt-4o","base_url":"http://h/v1",)"
        R"("messages":[{"system":"Be brief."}],"temperature":0.7,"top_p":0.25,"max_tokens":500,"seed":"-3",)"
        R"("stop":["END","\n"],"attempt":2,"vote":1,"custom":{"inherit":"openai","parameters":{}},)"
        R"("source":"fixtures:ab#cd"})");
}

TEST_CASE("the canonical form of embeddings is what it always was") {
  EmbedRequest request;
  request.provider = "openai";
  request.model = "text-embedding-3-small";
  request.texts = {"a", "b"};
  CHECK(CanonicalText(request) ==
        R"({"v":1,"embedding":"openai","model":"text-embedding-3-small","texts":["a","b"]})");
}

TEST_CASE("what a model reads is counted with its calls and tools") {
  ModelRequest request;
  request.provider = "p";
  request.model = "m";
  request.messages = {{Role::kUser, "12345"},
                      {Role::kAssistant, "", {{"c", "find", "{12}"}}, ""},
                      {Role::kTool, "678", {}, "c"}};
  CHECK(BytesToRead(request) == 16);
  CHECK(CallFactsOf(CanonicalText(request))->text_bytes == 18);  // ids too
  request.tools = {{"find", "it", {}}};
  CHECK(BytesToRead(request) > 16 + 6);
  CHECK(CallFactsOf(CanonicalText(request))->text_bytes == 18 + 6);
}

TEST_CASE("whom a call goes to is read off its text without its tree") {
  ModelRequest request;
  request.provider = "p\"q";
  request.model = "m\\n";
  request.messages = {{Role::kUser, R"(","model":"x","source":"y)"}};
  const auto called = CalledModelOf(CanonicalText(request));
  REQUIRE(called.has_value());
  CHECK(called->provider == request.provider);
  CHECK(called->model == request.model);
  CHECK_FALSE(CalledModelOf(WithSource(CanonicalText(request), "replay:1")).has_value());
  Map extra;
  extra.Append("model", "another");
  request.params.extra = Value(std::move(extra));
  CHECK(CalledModelOf(CanonicalText(request))->model == "another");
  CHECK(CallFactsOf(CanonicalText(request))->model == "another");
  EmbedRequest embedding;
  embedding.provider = "openai";
  embedding.model = "e";
  CHECK(CalledModelOf(CanonicalText(embedding))->provider == "openai");
  CHECK_FALSE(CalledModelOf(CanonicalText(CorpusRequest())).has_value());
  for (const std::string_view damaged : {"", "{", R"({"model_call":1,"model":2})", R"({"model_call":"a"})"}) {
    CAPTURE(damaged);
    CHECK_FALSE(CalledModelOf(damaged).has_value());
  }
}

TEST_CASE("a document enters the key of a program by its digest, other files by their bytes") {
  ProcessRequest request;
  request.argv = {"reader", "in"};
  request.files = {{.path = "in", .bytes = "text"}};
  const std::string plain = CanonicalText(request);
  CHECK(plain.find(R"("file:in":"text")") != std::string::npos);
  request.files.front() = {.path = "in",
                           .bytes = {},
                           .blob = std::make_shared<const Blob>(Blob{.sha256 = "ab12", .bytes = "text"})};
  const std::string named = CanonicalText(request);
  CHECK(named.find(R"("blob:in":"ab12")") != std::string::npos);
  CHECK(named.find("text") == std::string::npos);
  CHECK(named.size() == plain.size());
}

TEST_CASE("newer parameters enter a key only where they are written, and room never does") {
  const std::string before = CanonicalText(Plain());
  ModelRequest request = Plain();
  request.room = 16'000;
  request.params.limit_is_default = true;
  CHECK(CanonicalText(request) == before);
  request.params.effort = "high";
  request.params.thinking_tokens = 1024;
  Map schema;
  schema.Append("type", "object");
  request.answer_schema = Value(std::move(schema));
  CHECK(CanonicalText(request) ==
        before.substr(0, before.size() - 1) +
            R"(,"effort":"high","thinking_tokens":1024,"answer_schema":{"type":"object"}})");
}

TEST_CASE("what only changes when and for how much a service answers enters no key") {
  const std::string before = CanonicalText(Plain());
  const auto with = [](const char* parameters) {
    ModelRequest request = Plain();
    request.params.extra = *ParseJson(parameters);
    return CanonicalText(request);
  };
  CHECK(with(R"({"service_tier":"flex","prompt_cache_key":"k","prompt_cache_retention":"24h"})") == before);
  CHECK(with(R"({"serviceTier":"flex","cache_control":{"type":"ephemeral","ttl":"1h"}})") == before);
  CHECK(with(R"({"verbosity":"low","service_tier":"flex"})") == with(R"({"verbosity":"low"})"));
  CHECK(with(R"({"verbosity":"low"})") != before);
  CHECK(with("{}") != before);  // as it always was
  ModelRequest shown = Plain();
  shown.params.shows_thoughts = true;
  CHECK(CanonicalText(shown) == before.substr(0, before.size() - 1) + R"(,"thoughts":"shown"})");
  const auto custom = [](const char* model) {
    ModelRequest request = Plain();
    request.custom = *ParseJson(model);
    return CanonicalText(request);
  };
  CHECK(custom(R"({"parameters":{"service_tier":"flex","top_k":5}})") ==
        custom(R"({"parameters":{"top_k":5}})"));
}

}  // namespace
}  // namespace assay
