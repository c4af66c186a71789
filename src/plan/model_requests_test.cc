// Tests of warnings about model parameters before a run: thinking that leaves no room, variants that become
// one request.
#include "plan/model_requests.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

Variant Of(std::string provider, std::string model, std::string id) {
  Variant variant;
  variant.provider = std::move(provider);
  variant.model = std::move(model);
  variant.id = std::move(id);
  return variant;
}

std::string Said(const Suite& suite, const ModelBook& models = {}) {
  Diagnostics diagnostics;
  CheckModelRequests(suite, models, diagnostics);
  std::string text;
  for (const Diagnostic& each : diagnostics.All())
    text +=
        (each.severity == Severity::kError ? "error " : "warning ") + each.code + ": " + each.message + "\n";
  return text;
}

struct SameRow {
  const char* provider;
  const char* model;
  SamplingParams first, second;
  const char* said;  // part of it; "": nothing
};

}  // namespace

TEST_CASE("variants that become the same request are told, whatever makes them the same") {
  const SamplingParams cold{.temperature = 0};
  const SamplingParams warm{.temperature = 0.7};
  const SamplingParams cold_low{.temperature = 0, .effort = "low"};
  const SamplingParams warm_low{.temperature = 0.7, .effort = "low"};
  const SamplingParams minimal{.effort = "minimal"};
  const SamplingParams low{.effort = "low"};
  const SamplingParams xhigh{.effort = "xhigh"};
  const SamplingParams most{.effort = "max"};
  const SamplingParams few{.thinking_tokens = 2'000};
  const SamplingParams some{.thinking_tokens = 3'000};
  const SameRow rows[] = {
      {"openai", "gpt-4o", cold, warm, ""},
      {"openai", "nobody-knows", cold, warm, ""},
      {"openai", "gpt-5", cold, warm, "takes no temperature"},
      {"openai", "gpt-5", cold, {}, "takes no temperature"},
      {"openai", "gpt-5", cold, cold_low, ""},
      // Its temperature is taken while it does not think.
      {"openai", "gpt-5.2", cold, warm, ""},
      {"openai", "gpt-5.2", cold_low, warm_low, "no temperature beside its thoughts"},
      {"anthropic", "claude-opus-5-5", cold, warm, "takes no temperature"},
      {"anthropic", "claude-sonnet-4-5", cold, warm, ""},
      {"anthropic", "claude-sonnet-4-5", cold_low, warm_low, "no temperature beside its thoughts"},
      // Words that a model does not have become the nearest one.
      {"openai", "gpt-5.2", xhigh, most, "no words for the difference"},
      {"openai", "gpt-4o", low, {}, "no words for the difference"},
      {"google", "gemini-3-pro-preview", minimal, low, "no words for the difference"},
      {"google", "gemini-2.5-flash", minimal, low, ""},
      {"openai", "gpt-5", few, some, "no words for the difference"},
      {"anthropic", "claude-sonnet-4-5", few, some, ""},
      {"echo", "a", cold, warm, ""},
  };
  for (const SameRow& row : rows) {
    CAPTURE(row.provider);
    CAPTURE(row.model);
    CAPTURE(row.said);
    Suite suite;
    suite.variants = {Of(row.provider, row.model, "one"), Of(row.provider, row.model, "two")};
    suite.variants[0].params = row.first;
    suite.variants[1].params = row.second;
    const std::string said = Said(suite);
    if (*row.said == '\0') {
      CHECK(said.empty());
    } else {
      CHECK(said.find("warning plan.same-request: ") == 0);
      CHECK(said.find("\"one\", \"two\" are the same request") != std::string::npos);
      CHECK(said.find(row.said) != std::string::npos);
    }
    Suite seeded = suite;
    Map seed;
    seed.Append("seed", std::int64_t{8});
    seeded.variants[1].params.extra = Value(std::move(seed));
    CHECK(Said(seeded).empty());
    suite.variants[1].system = "Be brief.";
    CHECK(Said(suite).empty());
  }
}

TEST_CASE("what the user says of a model decides it too") {
  Suite suite;
  suite.variants = {Of("openai", "mine", "one"), Of("openai", "mine", "two")};
  suite.variants[0].params.temperature = 0;
  suite.variants[1].params.temperature = 1;
  CHECK(Said(suite).empty());
  OwnFacts own{.model = "openai:mine"};
  own.temperature = false;
  CHECK(Said(suite, ModelBook({own})).find("takes no temperature") != std::string::npos);
}

TEST_CASE("thoughts that fill the whole reply are an error, of judges too") {
  Suite suite;
  suite.variants = {Of("anthropic", "claude-sonnet-4-5", "one")};
  SamplingParams& params = suite.variants[0].params;
  params.thinking_tokens = 2'000;
  CHECK(Said(suite).empty());
  params.max_tokens = 2'000;
  CHECK(Said(suite).find(
            "error plan.thinking-tokens: anthropic:claude-sonnet-4-5: thinking_tokens is 2000") == 0);
  params.limit_is_default = true;  // room is added
  CHECK(Said(suite).empty());
  params.limit_is_default = false;
  params.max_tokens = 2'001;
  CHECK(Said(suite).empty());
  params = {.max_tokens = 4'000, .effort = "low"};
  CHECK(Said(suite).find("effort low is 4096 tokens of thinking") != std::string::npos);
  suite.variants[0].model = "claude-opus-5-5";  // told in words: nothing is counted
  CHECK(Said(suite).empty());
  Judge judge;
  judge.provider = "google";
  judge.model = "gemini-2.5-flash";
  judge.params = {.max_tokens = 500, .thinking_tokens = 500};
  suite.judges = {judge};
  CHECK(Said(suite).find("google:gemini-2.5-flash: thinking_tokens is 500") != std::string::npos);
}

TEST_CASE("parts of messages: a model that takes none is an error, a judge a warning, nobody knows is sent") {
  const MediaPart picture = *MediaOf(MediaKind::kImage, "\x89PNG\r\n\x1A\n");
  const MediaPart sound = *MediaOf(MediaKind::kAudio, "ID3");
  struct Row {
    const char* provider;
    const char* model;
    const MediaPart& part;
    const char* said;
  };
  const Row rows[] = {
      {"openai", "gpt-4o", picture, ""},
      {"openai", "gpt-4o", sound, "error plan.media: openai:gpt-4o takes no audio: case \"c\" has [audio"},
      {"openai", "gpt-3.5-turbo", picture, "error plan.media"},
      {"openai", "nobody-knows", picture, ""},
      {"openrouter", "openai/gpt-3.5-turbo", picture, "error plan.media"},
      {"anthropic", "claude-opus-5", picture, ""},
      {"anthropic", "claude-opus-5", sound, "error plan.media"},
      {"anthropic", "nobody-knows", sound, "error plan.media"},  // its protocol has no words
      {"google", "gemini-2.5-flash", sound, ""},
      {"echo", "a", sound, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    Suite suite;
    suite.variants = {Of(row.provider, row.model, "v")};
    Case& the_case = suite.cases.emplace_back();
    the_case.id = "c";
    the_case.turns = {{.role = Role::kUser, .text = "?", .span = {}, .media = std::vector{row.part}}};
    const std::string said = Said(suite);
    CHECK(said.starts_with(row.said));
    CHECK(said.empty() == (*row.said == 0));
    the_case.variants.edit() = {1};  // somebody else is asked
    CHECK(Said(suite).empty());
  }
  const ModelBook own({{.model = "openai:gpt-3.5-turbo", .takes = MediaKinds{.image = true}}});
  Suite suite;
  suite.variants = {Of("openai", "gpt-3.5-turbo", "v")};
  suite.judges.emplace_back().model_id = "openai:gpt-3.5-turbo";
  suite.judges.front().sees = {};
  Case& the_case = suite.cases.emplace_back();
  the_case.id = "c";
  the_case.turns = {{.role = Role::kUser, .text = "?", .span = {}, .media = std::vector{picture}}};
  CHECK(Said(suite, own).empty());  // nobody judges the case
  the_case.checks.emplace_back();
  CHECK(Said(suite, own)
            .starts_with("warning plan.judge-media: the judge \"openai:gpt-3.5-turbo\" takes no images"));
}

TEST_CASE(
    "a schema for the answers of a model that follows none is an error, but for one that is told none") {
  struct Row {
    const char* provider;
    const char* model;
    const char* said;
  };
  const Row rows[] = {
      {"openai", "gpt-4o-mini", ""},
      {"openai", "gpt-3.5-turbo",
       "error plan.schema: openai:gpt-3.5-turbo takes no JSON Schema for its answers: case \"c\""},
      {"anthropic", "claude-3-haiku-20240307", "error plan.schema"},
      {"anthropic", "claude-haiku-4-5", ""},
      {"openrouter", "openai/gpt-3.5-turbo", "error plan.schema"},
      {"openai", "nobody-knows", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    Suite suite;
    suite.variants = {Of(row.provider, row.model, "v")};
    Case& the_case = suite.cases.emplace_back();
    the_case.id = "c";
    the_case.answer_schema = Value(Map());
    const std::string said = Said(suite);
    CHECK(said.starts_with(row.said));
    CHECK(said.empty() == (*row.said == 0));
    suite.variants[0].answers_freely = true;
    CHECK(Said(suite).empty());
  }
  const ModelBook own({{.model = "openai:gpt-4o", .takes_schema = false}});
  Suite suite;
  suite.variants = {Of("openai", "gpt-4o", "v")};
  suite.cases.emplace_back().answer_schema = Value(Map());
  CHECK(Said(suite, own).starts_with("error plan.schema"));
  // Told apart by their schema alone: no two of the same request.
  suite.variants.push_back(suite.variants.front());
  suite.variants.back().answers_freely = true;
  CHECK(Said(suite).empty());
}

}  // namespace assay
