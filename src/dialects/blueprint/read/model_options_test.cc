// Tests of model options in headers, in model entries and behind names, and of their problems.
#include "dialects/blueprint/read/model_options.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "dialects/blueprint/read/test_reading.h"
#include "spec/suite/stored_suite.h"
#include "spec/suite/suite.h"
#include "text/python/json.h"

namespace assay::blueprint {

namespace {

// "e:m max 100 effort high thinking 0 or f:n; ", a variant each; or the problems.
std::string Asked(const std::string& header, Compat compat = Compat::kNone, const ReadOptions& options = {}) {
  TestReading reading;
  reading.options = options;
  reading.options.compat = compat;
  const std::optional<Suite> suite = reading.Read("t.yml", header + "\n---\n- prompt: q\n");
  if (!suite) return reading.Problems();
  std::string text;
  for (const Variant& variant : suite->variants) {
    text += fmt::format("{} = {}:{}", variant.id, variant.provider, variant.model);
    const SamplingParams& params = variant.params;
    if (params.max_tokens) text += fmt::format(" max {}", *params.max_tokens);
    if (!params.effort.empty()) text += " effort " + params.effort;
    if (params.thinking_tokens) text += fmt::format(" thinking {}", *params.thinking_tokens);
    for (const ModelRef& fallback : variant.fallbacks)
      text += fmt::format(" or {}:{}", fallback.provider, fallback.model);
    text += "; ";
  }
  return text;
}

}  // namespace

TEST_CASE("a judge's own limit takes the place of the usual one, and may grow no further") {
  TestReading reading;
  const std::optional<Suite> suite = reading.Read("t.yml",
                                                  "{models: [e:m], evaluationConfig: {llm-coverage: {judges: "
                                                  "[{model: j:a}, {model: j:b, max_tokens: 900, "
                                                  "effort: low}]}}}\n---\n- prompt: q\n");
  REQUIRE(suite.has_value());
  CHECK(reading.Problems().empty());
  CHECK(suite->judges[0].params.max_tokens == 500);
  CHECK(suite->judges[0].params.limit_is_default);
  CHECK(suite->judges[1].params.max_tokens == 900);
  CHECK(!suite->judges[1].params.limit_is_default);
  CHECK(suite->judges[1].params.effort == "low");
}

TEST_CASE("options of models, by where they are written") {
  struct Row {
    std::string header;
    std::string asked;
  };
  const Row rows[] = {
      {"{models: [e:m], max_tokens: 100}", "e:m = e:m max 100; "},
      {"{models: [e:m], maxTokens: 100}", "e:m = e:m max 100; "},
      {"{models: [e:m], maxOutputTokens: 100, effort: low}", "e:m = e:m max 100 effort low; "},
      {"{models: [e:m, {model: e:n, max_tokens: 9}], max_tokens: 100, thinking_tokens: 50}",
       "e:m = e:m max 100 thinking 50; e:n = e:n max 9 thinking 50; "},
      {"{models: [e:m, {model: e:m, effort: high}, {model: e:m, thinking_tokens: 8000}], effort: low}",
       "e:m = e:m effort low; e:m[effort:high] = e:m effort high; e:m[thinking:8000] = e:m thinking 8000; "},
      {"{models: ['e:m[effort:max]', 'e:m[thinking:10]']}",
       "e:m[effort:max] = e:m effort max; e:m[thinking:10] = e:m thinking 10; "},
      {"{models: [{model: e:m, fallback: f:n}, {model: e:o, fallback: [f:n, x]},"
       " {id: x, url: 'http://h', modelName: n, inherit: openai}]}",
       "e:m = e:m or f:n; e:o = e:o or f:n or custom:n; x = custom:n; "},
      {"{models: [{model: 'e:m'}]}", "e:m = e:m; "},
      {"{models: [{model: 'e:m[effort:low]', max_tokens: 5}]}", "e:m[effort:low] = e:m max 5 effort low; "},
      {"{models: [{model: 'e:m', effort: low}], temperatures: [0, 1]}",
       "e:m[effort:low][temp:0] = e:m effort low; e:m[effort:low][temp:1] = e:m effort low; "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.header);
    CHECK(Asked(row.header) == row.asked);
  }
}

TEST_CASE("options that are not as expected are errors at their place") {
  struct Row {
    std::string header;
    std::string problems;
  };
  const Row rows[] = {
      {"{models: [e:m], max_tokens: 0}", "error blueprint.model-options 1:29\n"},
      {"{models: [e:m], max_tokens: 1.5}", "error blueprint.model-options 1:29\n"},
      {"{models: [e:m], effort: hihg}", "error blueprint.model-options 1:25\n"},
      {"{models: [e:m], effort: low, thinking_tokens: 5}", "error blueprint.model-options 1:47\n"},
      {"{models: [{model: e:m, fallback: 5}]}", "error blueprint.model-options 1:34\n"},
      {"{models: ['e:m[effort:hihg]']}", "error blueprint.model-options 1:11\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.header);
    CHECK(Asked(row.header) == row.problems);
  }
  CHECK(
      Asked("{models: [{model: e:m, max_tokens: 9}]}", Compat::kWeval).find("error blueprint.custom-model") !=
      std::string::npos);
}

TEST_CASE("a label is for people alone") {
  const auto read = [](const std::string& models) {
    TestReading reading;
    std::optional<Suite> suite = reading.Read("t.yml", "models: " + models + "\n---\n- prompt: q\n");
    CHECK(reading.Problems().empty());
    REQUIRE(suite.has_value());
    return *std::move(suite);
  };
  const struct {
    std::string labelled, plain;
  } rows[] = {
      {"[{model: e:m, label: ' Em '}]", "[e:m]"},
      {"[{model: e:m, label: Em, effort: low}]", "[{model: e:m, effort: low}]"},
      {"[{id: c:m, label: Em, url: 'http://h/x', modelName: m, inherit: openai}]",
       "[{id: c:m, url: 'http://h/x', modelName: m, inherit: openai}]"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.labelled);
    const Suite labelled = read(row.labelled);
    const Suite plain = read(row.plain);
    CHECK(labelled.variants.at(0).label == "Em");
    CHECK(plain.variants.at(0).label.empty());
    CHECK(labelled.variants.at(0).id == plain.variants.at(0).id);
    CHECK(labelled.run_label == plain.run_label);
    CHECK(DigestOf(labelled) == DigestOf(plain));
  }
  TestReading named;
  named.Read("t.yml", "models: [{id: openai:gpt-4o, label: Four}]\n---\n- prompt: q\n");
  REQUIRE(named.diagnostics.All().size() == 1);
  CHECK(named.diagnostics.All().front().message.find("nothing describes it here") != std::string::npos);
  CHECK(named.diagnostics.All().front().hint.find("{model: openai:gpt-4o, …}") != std::string::npos);
  CHECK(Asked("{models: [{model: e:m, label: [x]}]}") == "error blueprint.model-options 1:31\n");
  CHECK(Asked("{models: [{model: e:m, label: ' '}]}") == "error blueprint.model-options 1:31\n");
}

TEST_CASE("whole numbers of parameters are sent as whole numbers") {
  TestReading reading;
  const Suite suite =
      reading
          .Read(
              "t.yml",
              "models: [{model: e:m, parameters: {seed: 8, top_p: 0.5, stop: [{n: 2}]}}]\n---\n- prompt: q\n")
          .value();
  CHECK(WritePythonJson(suite.variants.at(0).params.extra).value() ==
        R"({"seed": 8, "top_p": 0.5, "stop": [{"n": 2}]})");
}

TEST_CASE("the user's limit beats the suite's, and weval's mode knows no other") {
  ReadOptions options;
  options.max_tokens = 7;
  CHECK(Asked("{models: [{model: e:m, max_tokens: 9}], max_tokens: 100}", Compat::kNone, options) ==
        "e:m = e:m max 7; ");
  CHECK(Asked("{models: [e:m], max_tokens: 100, effort: low}", Compat::kWeval) == "e:m[temp:0] = e:m; ");
}

}  // namespace assay::blueprint
