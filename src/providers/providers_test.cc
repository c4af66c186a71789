// Tests of the table of providers, and of the codecs that never leave the process.
#include <doctest/doctest.h>

#include "providers/provider.h"
#include "spec/exchange/exchange.h"
#include "spec/report/statistics.h"

namespace assay {
namespace {

HttpReply Ok(std::string body) {
  HttpReply reply;
  reply.status = 200;
  reply.body = std::move(body);
  return reply;
}

TEST_CASE("model ids are split at the first colon") {
  struct Row {
    std::string_view id;
    std::string_view provider;  // "": no provider
    std::string_view model;
  };
  constexpr Row kRows[] = {
      {"openai:gpt-4o", "openai", "gpt-4o"},
      {"openrouter:meta/llama:free", "openrouter", "meta/llama:free"},
      {"echo:", "echo", ""},
      {"gpt-4o", "", ""},
      {":gpt-4o", "", ""},
      {"", "", ""},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.id);
    const std::optional<ModelName> name = SplitModelId(row.id);
    REQUIRE(name.has_value() == !row.provider.empty());
    if (!name) continue;
    CHECK(name->provider == row.provider);
    CHECK(name->model == row.model);
  }
}

TEST_CASE("every row of the table is found by its name and shows a model id of its own") {
  for (const ProviderRow& row : ProviderTable()) {
    CAPTURE(row.name);
    CHECK(FindProvider(row.name) == &row);
    CHECK(SplitModelId(row.example).value().provider == row.name);
    CHECK_FALSE(row.help.empty());
    CHECK(row.max_in_flight > 0);
  }
  CHECK(FindProvider("recorded") == nullptr);
  CHECK(FindProvider("Echo") == nullptr);
}

TEST_CASE("echo answers with the last user message") {
  const ProviderRow& echo = *FindProvider("echo");
  ModelRequest request;
  request.provider = "echo";
  request.messages = {{Role::kSystem, "be brief"},
                      {Role::kUser, "one"},
                      {Role::kAssistant, "two"},
                      {Role::kUser, "three"},
                      {Role::kAssistant, "four"}};
  const HttpRequest wire = echo.Encode(request).value();
  CHECK(wire.url.empty());
  CHECK(echo.route == Route::kLocal);
  CHECK(wire.body == "three");

  const HttpReply reply = Ok(wire.body);
  CHECK(echo.classify(reply) == ReplyClass::kOk);
  const ModelReply decoded = echo.decode(reply).value();
  CHECK(decoded.text == "three");
  CHECK(decoded.finish_reason == "stop");

  request.messages = {{Role::kSystem, "be brief"}};
  CHECK(echo.Encode(request).value().body.empty());
}

TEST_CASE("echo embeds a text by its words") {
  const ProviderRow& echo = *FindProvider("echo");
  EmbedRequest request;
  request.provider = "echo";
  request.texts = {"The capital is Paris.", "paris, the CAPITAL is", "Bananas", ""};
  const EmbedReply reply = echo.decode_embedding(Ok(echo.encode_embedding(request).value().body)).value();
  REQUIRE(reply.vectors.size() == 4);
  CHECK(CosineSimilarity(reply.vectors[0], reply.vectors[1]) == doctest::Approx(1));
  CHECK(CosineSimilarity(reply.vectors[0], reply.vectors[2]).value() < 0.6);
  CHECK(CosineSimilarity(reply.vectors[0], reply.vectors[3]) == 0);
  CHECK(echo.decode_embedding(Ok("{}")).error().code == ErrorCode::kCorrupt);
}

TEST_CASE("a recorded reply comes back as it was stored") {
  const ProviderRow& recorded = RecordedProvider();
  CHECK(recorded.Encode({}).value().url.empty());
  CHECK(recorded.route == Route::kLocal);

  ModelReply stored;
  stored.text = "Paris \"is\"\nit";
  stored.finish_reason = "length";
  stored.usage.known = true;
  stored.usage.output_tokens = 7;
  const HttpReply reply = Ok(EncodeReply(Reply(stored)));
  CHECK(recorded.classify(reply) == ReplyClass::kOk);
  const ModelReply decoded = recorded.decode(reply).value();
  CHECK(decoded.text == stored.text);
  CHECK(decoded.finish_reason == "length");
  CHECK(decoded.usage.output_tokens == 7);
}

TEST_CASE("what is not recorded fails at once, and damage is named") {
  const ProviderRow& recorded = RecordedProvider();
  CHECK(recorded.classify(Ok("")) == ReplyClass::kFail);
  CHECK(recorded.decode(Ok("")).error().code == ErrorCode::kNotFound);
  CHECK(recorded.decode(Ok("{\"v\":99}")).error().code == ErrorCode::kCorrupt);

  HttpReply failed;
  failed.error = Error{ErrorCode::kIo, "disk gone"};
  for (const ProviderRow* row : {&recorded, FindProvider("echo")}) {
    CHECK(row->classify(failed) != ReplyClass::kOk);
    CHECK(row->decode(failed).error().message == "disk gone");
  }
}

}  // namespace
}  // namespace assay
