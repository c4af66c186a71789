// Warnings about what is read differently from how it looks.
#include "dialects/blueprint/lower/lint.h"

#include <doctest/doctest.h>

#include "dialects/blueprint/read/test_reading.h"

namespace assay::blueprint {

TEST_CASE("each warning, at its place") {
  struct Row {
    std::string point;  // one entry of `should`
    std::string want;
  };
  const Row rows[] = {
      {"be polite", ""},
      {"$is_json", ""},
      {"{$contains: a, weight: 2, citation: c}", ""},
      {"\"Covers X\": Act 1940", ""},
      {"\"$contains: 'x'\"", "warning blueprint.quoted-function 5:7\n"},
      {"\"$100 refund\"", "warning blueprint.dollar-text 5:7\n"},
      {"{$contains: a, $matches: b}", "warning blueprint.unknown-key 5:22\n"},
      {"{$contains: a, text: b}", "warning blueprint.unknown-key 5:22\n"},
      {"{text: a, wieght: 2}", "warning blueprint.unknown-key 5:17\n"},
      {"{weight: heavy}", "warning blueprint.odd-citation 5:8\n"},
      {"{txt: mentions it}", "warning blueprint.odd-citation 5:8\n"},
      {"{Kindness: Act 1940}", ""},
      {"[$is_json, b]", "warning blueprint.path-text 5:8\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.point);
    TestReading reading;
    const std::string text = "models: [echo:a]\n---\n- prompt: q\n  should:\n    - " + row.point + "\n";
    CHECK(reading.Read("t.yml", text));
    CHECK(reading.Problems() == row.want);
  }
}

TEST_CASE("what a file loses without a word") {
  struct Row {
    std::string text;
    std::string want;
  };
  const Row rows[] = {
      {"models: [echo:a]\nprompts: [{prompt: a}]\n---\n- prompt: b\n",
       "warning blueprint.lost-header-key 2:1\n"},
      {"models: [echo:a]\ntitle: T\nideal: x\n---\nprompt: b\n",
       "error blueprint.lost-header-key 1:1\nwarning blueprint.lost-header-key 2:1\n"},
      {"models: [echo:a]\n---\n- {prompt: a, models: [echo:b]}\n",
       "warning blueprint.lost-header-key 3:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: []}\n- {prompt: b, points: }\n",
       "warning blueprint.no-points 3:15\nwarning blueprint.no-points 4:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [], ideal: i}\n- {prompt: b, should: [], expect: [c]}\n",
       ""},
      {"models: [echo:a]\n---\n- {promt: a, should: [b]}\n", "error blueprint.unknown-key 3:4\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [{ponit: b, weight: 2}]}\n",
       "error blueprint.point 3:24\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: be polite}\n",
       "warning blueprint.rubric-not-list 3:23\n"},
      {"models: [echo:a]\n---\n- {id: p, prompt: a}\n- {id: p, prompt: b}\n",
       "warning blueprint.duplicate-id 4:8\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [[a], [b]], should_not: [[c]]}\n",
       "warning blueprint.merged-paths 3:47\n"},
      {"models: [echo:a]\n---\n- {prompt: a, weight: .nan}\n", "error blueprint.weight 3:23\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [{text: b, weight: .nan}]}\n",
       "error blueprint.point-weight 3:42\n"},
      {"models: [echo:a]\ntemprature: 1\n---\n- {prompt: a}\n", "warning blueprint.unknown-key 2:1\n"},
      {"models: [echo:a]\ntemperature: 0\n---\n- {prompt: a, temperature: 1}\n- {prompt: b, temperature: "
       "1}\n",
       "warning blueprint.no-effect 4:28\n"},
      {"models: [echo:a]\nevaluationConfig: {llm-coverage: {judgeMode: x, judge: y}, embeddings: {}}\n---\n"
       "- {prompt: a}\n",
       "warning blueprint.unknown-key 2:60\nwarning blueprint.no-effect 2:35\n"
       "warning blueprint.unknown-key 2:49\n"},
      {"models: [echo:a]\nevaluationConfig:\n  llm-coverage:\n    judges: [{model: echo:j, aproach: "
       "x}]\n---\n"
       "- {prompt: a}\n",
       "warning blueprint.unknown-key 4:30\n"},
      {"models: [echo:a]\nexternalServices: {s: {url: \"http://x/\", timeout: 5}}\n---\n- {prompt: a}\n",
       "warning blueprint.unknown-key 2:42\n"},
      {"models: [gpt-4o]\n---\n- {prompt: a}\n", ""},  // told when it would be asked
      {"models: [NONE, echo:a]\n---\n- {prompt: a}\n", "warning blueprint.collection 1:10\n"},
      {"models: [NONE]\n---\n- {prompt: a}\n",
       "warning blueprint.collection 1:10\nwarning blueprint.models 1:9\n"},
      {"models: [{id: custom:a, url: \"http://x/\", modelName: a, inherit: openai, header: {}}]\n---\n"
       "- {prompt: a}\n",
       "warning blueprint.unknown-key 1:74\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    TestReading reading;
    reading.Read("t.yml", row.text);
    CHECK(reading.Problems() == row.want);
  }
}

TEST_CASE("a slip that costs the models or the points is an error, but not to weval") {
  struct Row {
    std::string text, seed, weval;
  };
  const Row rows[] = {
      {"modles: [echo:a]\n---\n- {prompt: a}\n", "error blueprint.unknown-key 1:1\n",
       "warning blueprint.unknown-key 1:1\nwarning blueprint.collection 0:0\n"},
      {"model: echo:a\n---\n- {prompt: a}\n", "error blueprint.unknown-key 1:1\n",
       "warning blueprint.unknown-key 1:1\nwarning blueprint.collection 0:0\n"},
      {"models: [echo:a]\nmodalities: [text]\n---\n- {prompt: a}\n", "warning blueprint.unknown-key 2:1\n",
       "warning blueprint.unknown-key 2:1\n"},
      {"models: [echo:a]\n---\n- {prompt: a, shoud: [x]}\n", "error blueprint.unknown-key 3:15\n",
       "warning blueprint.unknown-key 3:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, Should: [x]}\n", "error blueprint.unknown-key 3:15\n",
       "warning blueprint.unknown-key 3:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, shoud: [x], should_not: [y]}\n",
       "warning blueprint.unknown-key 3:15\n", "warning blueprint.unknown-key 3:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, sytem: x}\n", "warning blueprint.unknown-key 3:15\n",
       "warning blueprint.unknown-key 3:15\n"},
      {"models: [{id: 'custom:a', url: 'http://x/', modelName: a, inherit: openai, format: chatt}]\n---\n"
       "- {prompt: a}\n",
       "error blueprint.custom-model 1:84\n", ""},
      {"models: [{id: 'custom:a', url: 'http://x/', modelName: a, inherit: openai, format: stream}]\n---\n"
       "- {prompt: a}\n",
       "error blueprint.custom-model 1:84\n", "error blueprint.custom-model 1:84\n"},
      {"models: [{id: 'custom:a', url: 'http://x/', modelName: a, inherit: openai, format: "
       "completions}]\n---\n"
       "- {prompt: a}\n",
       "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    for (const Compat compat : {Compat::kNone, Compat::kWeval}) {
      TestReading reading;
      reading.options.compat = compat;
      reading.Read("t.yml", row.text);
      CHECK(reading.Problems() == (compat == Compat::kNone ? row.seed : row.weval));
    }
  }
}

TEST_CASE("which texts are told to be no functions") {
  TestReading reading;
  const std::optional<Suite> suite = reading.Read(
      "t.yml", "models: [echo:a]\n---\n- prompt: q\n  should: [\"$contains: 'x'\", $is_json, {'$a b': c}]\n");
  REQUIRE(suite.has_value());
  const std::vector<Check>& checks = suite->cases[0].checks;
  CHECK(checks[0].is_told);
  CHECK_FALSE(checks[1].is_told);
  CHECK_FALSE(checks[2].is_told);
}

}  // namespace assay::blueprint
