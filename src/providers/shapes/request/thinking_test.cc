// Tests of the thinking effort in requests, and of the room that thoughts get.
#include "providers/shapes/request/thinking.h"

#include <doctest/doctest.h>

#include "providers/facts/output_max.h"
#include "providers/provider.h"

namespace assay {
namespace {

ModelRequest To(std::string provider, std::string model) {
  ModelRequest request;
  request.provider = std::move(provider);
  request.model = std::move(model);
  request.messages = {{Role::kUser, "hi"}};
  request.params.temperature = 0;
  return request;
}

std::string BodyOf(const ModelRequest& request) {
  const Result<HttpRequest> wire = FindProvider(request.provider)->Encode(request);
  REQUIRE(wire);
  return wire->body;
}

TEST_CASE("effort in the words of each provider") {
  struct Row {
    const char* provider;
    const char* model;
    const char* effort;
    std::int64_t tokens;  // where there is no effort
    const char* sent;     // "": nothing of the kind
  };
  const Row rows[] = {
      {"openai", "gpt-5", "high", 0, R"("reasoning_effort":"high")"},
      {"openai", "gpt-5", "max", 0, R"("reasoning_effort":"high")"},
      {"openai", "gpt-5", "", 4'000, R"("reasoning_effort":"low")"},
      {"openai", "gpt-4o", "high", 0, ""},
      {"openai", "gpt-5.2", "minimal", 0, R"("reasoning_effort":"none")"},
      {"openai", "some-new-model", "xhigh", 0, R"("reasoning_effort":"xhigh")"},
      {"openai-responses", "gpt-5", "low", 0, R"("reasoning":{"effort":"low"})"},
      {"openrouter", "openai/gpt-5", "low", 0, R"("reasoning":{"effort":"low"})"},
      {"openrouter", "openai/gpt-5", "", 4'000, R"("reasoning":{"max_tokens":4000})"},
      {"anthropic", "claude-sonnet-4-5", "low", 0, R"("thinking":{"type":"enabled","budget_tokens":4096})"},
      {"anthropic", "claude-sonnet-4-5", "", 9'000, R"("thinking":{"type":"enabled","budget_tokens":9000})"},
      {"anthropic", "claude-sonnet-4-5", "", 10, R"("thinking":{"type":"enabled","budget_tokens":1024})"},
      {"anthropic", "claude-sonnet-4-5", "none", 0, R"("thinking":{"type":"disabled"})"},
      {"anthropic", "claude-opus-4-6", "high", 0,
       R"("thinking":{"type":"adaptive"},"output_config":{"effort":"high"})"},
      {"anthropic", "claude-opus-of-next-year", "max", 0,
       R"("thinking":{"type":"adaptive"},"output_config":{"effort":"max"})"},
      {"google", "gemini-2.5-flash", "", 700, R"("thinkingConfig":{"thinkingBudget":700})"},
      {"google", "gemini-2.5-flash", "max", 0, R"("thinkingConfig":{"thinkingBudget":24576})"},
      {"google", "gemini-2.5-flash", "none", 0, R"("thinkingConfig":{"thinkingBudget":0})"},
      {"google", "gemini-2.5-pro", "none", 0, ""},
      {"google", "gemini-3-pro-preview", "low", 0, R"("thinkingConfig":{"thinkingLevel":"low"})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.provider);
    CAPTURE(row.model);
    CAPTURE(row.effort);
    CAPTURE(row.tokens);
    ModelRequest request = To(row.provider, row.model);
    const std::string plain = BodyOf(request);
    request.params.effort = row.effort;
    if (row.tokens > 0) request.params.thinking_tokens = row.tokens;
    const std::string body = BodyOf(request);
    const std::string_view sent = row.sent;
    CHECK((sent.empty() ? body == plain : body.find(sent) != std::string::npos));
    for (const char* word : {"\"reasoning\"", "\"reasoning_effort", "thinking", "output_config"}) {
      CAPTURE(word);
      CHECK(plain.find(word) == std::string::npos);
    }
  }
}

TEST_CASE("thoughts are asked for where somebody wants to see them, of models that think as they are asked") {
  struct Row {
    const char *provider, *model, *effort, *sent;  // "": nothing changes
  };
  const Row rows[] = {
      {"openai-responses", "gpt-5", "", R"("reasoning":{"summary":"auto"})"},
      {"openai-responses", "gpt-5", "high", R"("reasoning":{"effort":"high","summary":"auto"})"},
      {"openai-responses", "gpt-4.1", "", ""},
      {"openai", "gpt-4.1", "", ""},
      {"anthropic", "claude-opus-5-5", "", R"("thinking":{"type":"adaptive","display":"summarized"})"},
      {"anthropic", "claude-sonnet-4-6", "", ""},  // thinks on request alone
      {"anthropic", "claude-sonnet-4-6", "low", R"("thinking":{"type":"adaptive","display":"summarized"})"},
      {"anthropic", "claude-sonnet-4-5", "low", R"("budget_tokens":4096,"display":"summarized"})"},
      {"google", "gemini-2.5-flash", "", R"("thinkingConfig":{"includeThoughts":true})"},
      {"google", "gemini-3-pro", "low", R"("thinkingConfig":{"thinkingLevel":"low","includeThoughts":true})"},
      {"google", "gemini-2.0-flash", "", ""},
      {"mistral", "mistral-large-latest", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    CAPTURE(row.effort);
    ModelRequest request = To(row.provider, row.model);
    request.params.effort = row.effort;
    const std::string plain = BodyOf(request);
    request.params.shows_thoughts = true;
    const std::string_view sent = row.sent;
    CHECK((sent.empty() ? BodyOf(request) == plain : BodyOf(request).find(sent) != std::string::npos));
  }
  // The chat protocol has no words for it.
  ModelRequest request = To("openai", "gpt-5");
  request.params.shows_thoughts = true;
  const std::optional<ModelFacts> facts = FindModelFacts("openai", "gpt-5");
  CHECK(FindProvider("openai")->encode_known(request, &*facts)->url.ends_with("/responses"));
  request.params.seed = 1;  // which that protocol does not take
  CHECK(FindProvider("openai")->encode_known(request, &*facts)->url.ends_with("/chat/completions"));
}

TEST_CASE("a Claude that is told to think is sent no temperature") {
  ModelRequest request = To("anthropic", "claude-sonnet-4-5");
  CHECK(BodyOf(request).find("temperature") != std::string::npos);
  request.params.effort = "low";
  CHECK(BodyOf(request).find("temperature") == std::string::npos);
}

TEST_CASE("a GPT of 5.1 to 5.4 takes a temperature while it does not think") {
  for (const char* model : {"gpt-5.1", "gpt-5.2", "gpt-5.4-mini"}) {
    CAPTURE(model);
    ModelRequest request = To("openai", model);
    CHECK(BodyOf(request).find(R"("temperature":0)") != std::string::npos);
    request.params.effort = "none";
    CHECK(BodyOf(request).find(R"("temperature":0)") != std::string::npos);
    request.params.effort = "high";
    CHECK(BodyOf(request).find("temperature") == std::string::npos);
  }
  for (const char* model : {"gpt-5", "gpt-5.5", "gpt-6-sol", "o3"})
    CHECK(BodyOf(To("openai", model)).find("temperature") == std::string::npos);
  CHECK(BodyOf(To("openai-responses", "gpt-5.1")).find("temperature") != std::string::npos);
}

TEST_CASE("a seed has the name that the service gives it") {
  ModelRequest request = To("mistral", "mistral-large-latest");
  request.params.seed = 7;
  CHECK(BodyOf(request).find(R"("random_seed":7)") != std::string::npos);
  request.provider = "groq";
  CHECK(BodyOf(request).find(R"("seed":7)") != std::string::npos);
}

TEST_CASE("what the user says of a model decides how it is asked") {
  OwnFacts own{.model = "openai:mine"};
  own.responses_only = true;
  own.effort = EffortForm::kReasoningEffort;
  const ModelBook book({own});
  ModelRequest request = To("openai", "mine");
  const std::optional<ModelFacts> facts = book.FactsOf(request);
  REQUIRE(facts);
  CHECK(FindProvider("openai")->encode_known(request, &*facts)->url.ends_with("/responses"));
}

TEST_CASE("a model that thinks gets room beside its answer where nobody wrote a limit") {
  const auto room = [](const ModelRequest& request) {
    return RoomOf(request, FindModelFacts(request.provider, request.model));
  };
  CHECK(room(To("openai", "gpt-4o")) == 0);
  CHECK(room(To("openai", "nobody-knows")) == 0);
  const std::int64_t gpt_room = FindModelFacts("openai", "gpt-5")->thinking_room;
  REQUIRE(gpt_room > 1'500);
  ModelRequest request = To("openai", "gpt-5");
  CHECK(room(request) == gpt_room + 1'500);
  // A default that the suite's dialect sets, as for judges, counts as the answer's part.
  request.params.max_tokens = 500;
  request.params.limit_is_default = true;
  CHECK(room(request) == gpt_room + 500);
  request.params.limit_is_default = false;
  CHECK(room(request) == 0);
  request.params.max_tokens.reset();
  request.params.thinking_tokens = 700;
  CHECK(room(request) == 2'200);
  // Asked to think, who would not unasked.
  ModelRequest claude = To("anthropic", "claude-sonnet-4-5");
  CHECK(room(claude) == 0);
  claude.params.effort = "high";
  CHECK(room(claude) == 16'384 + 1'500);
  // No limit is sent there at all.
  CHECK(room(To("openrouter", "openai/gpt-5")) == 0);
}

TEST_CASE("the room is what is sent, and what a budget expects") {
  for (const char* provider : {"openai", "anthropic", "google", "openai-responses", "groq"}) {
    CAPTURE(provider);
    ModelRequest request = To(provider, "m");
    CHECK(BodyOf(request).find(":1500") != std::string::npos);
    request.room = 16'234;
    CHECK(BodyOf(request).find(":16234") != std::string::npos);
    CHECK(OutputTokensMax(request) == 16'234);
  }
}

}  // namespace
}  // namespace assay
