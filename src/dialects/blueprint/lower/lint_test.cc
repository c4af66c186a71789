// Tests of warnings about blueprints that are read differently from how they look.
#include "dialects/blueprint/lower/lint.h"

#include <doctest/doctest.h>

#include "dialects/blueprint/read/test_reading.h"
#include "spec/suite/suite.h"

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
      {"\"$100 refund\"", "error blueprint.dollar-text 5:7\n"},
      {"{$no_such: a}", "error check.unknown 5:8\n"},
      {"[{$no_such: a}]", "error check.unknown 5:9\n"},
      {"{contains: x}", "warning blueprint.odd-citation 5:8\n"},
      {"{text: says yes}", ""},
      {"{text: \"\"}", "warning blueprint.empty-point 5:8\n"},
      {"{text: a, point: b}", "warning blueprint.two-names 5:17\n"},
      {"{fn: contains, fnArgs: a, arg: b}", "warning blueprint.two-names 5:33\n"},
      {"{text: a, weight: 2, multiplier: 3}", "warning blueprint.two-names 5:28\n"},
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
    reading.options.check_names = {"contains", "is_json", "matches"};
    const std::string text = "models: [echo:a]\n---\n- prompt: q\n  should:\n    - " + row.point + "\n";
    const bool is_refused = row.want.starts_with("error");
    CHECK(reading.Read("t.yml", text).has_value() == !is_refused);
    CHECK(reading.Problems() == row.want);
  }
}

TEST_CASE("arguments that no answer or every answer fits, and those of another kind of function") {
  struct Row {
    std::string point;
    std::string want;  // the code, without its format
  };
  const Row rows[] = {
      {"{$contains: \"\\bX\\b\"}", "never-holds"},
      {"{$matches: '/x/i'}", "never-holds"},
      {"{$matches: '\\AYes'}", "never-holds"},
      {"{$matches: '[[:alpha:]]+'}", "never-holds"},
      {"{$matches: 'costs $5'}", "never-holds"},
      {"{$matches_all_of: ['a', 'b\\Z']}", "never-holds"},
      {"{$contains: ''}", "always-holds"},
      {"{$not_contains: ''}", "never-holds"},
      {"{$contains: 'a.*b'}", "odd-argument"},
      {"{$contains_any_of: ['yes', '^no$']}", "odd-argument"},
      {"{$matches: 'Is it so?'}", "odd-argument"},
      {"{$js: ' '}", "never-holds"},
      {"{$contains: “a”}", "typographic-quotes"},
      {"{$matches: '^\\s*yes$'}", ""},
      {"{$matches: '\\$5'}", ""},
      {"{$contains: 'SELECT t.* FROM t'}", ""},
      {"{$contains: 'C:\\data'}", ""},
      {"{$contains: '“a”'}", ""},
      {"{$js: 'const x = 1; return x;'}", ""},
      {"{$js: 'r.length > 3'}", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.point);
    TestReading reading;
    CHECK(reading.Read("t.yml", "models: [echo:a]\n---\n- prompt: q\n  should:\n    - " + row.point + "\n"));
    const std::string problems = reading.Problems();
    CAPTURE(problems);
    CHECK(problems.starts_with(row.want.empty() ? "" : "warning blueprint." + row.want));
    CHECK(problems.empty() == row.want.empty());
  }
}

TEST_CASE("a colon that cuts a criterion is told, a citation is not; how to quote it is shown") {
  struct Row {
    std::string point;
    bool is_told;
  };
  const Row rows[] = {
      {"Names the consequence: one to three times the deposit.", true},
      {"Says so: It has to be protected within thirty days", true},
      {"Says so: see the law of 1988", true},
      {"Covers X: Act 1940", false},
      {"Covers X: Housing Act 2004, Section 213", false},
      {"Covers X: \u00a7 551 BGB", false},
      {"Covers X: https://www.gov.uk/deposits", false},
      {"Covers X: see https://www.gov.uk/deposits", false},
      {"Covers X: Universal Declaration of Human Rights", false},
      {"\"Covers X: it all\"", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.point);
    TestReading reading;
    CHECK(reading.Read("t.yml", "models: [echo:a]\n---\n- prompt: q\n  should:\n    - " + row.point + "\n"));
    CHECK(reading.Problems() == (row.is_told ? "warning blueprint.cut-criterion 5:7\n" : ""));
    if (row.is_told)
      CHECK(reading.diagnostics.All().front().hint ==
            "if it is one criterion, quote it: - '" + row.point + "'");
  }
}

TEST_CASE("a shape that is wrong hides no function that nobody has") {
  TestReading reading;
  reading.options.check_names = {"contains"};
  CHECK_FALSE(reading.Read("t.yml",
                           "models: [echo:a]\n---\n- {prompt: a, should: [{$contians: b}]}\n"
                           "- {id: two, prompt: c, should: [7]}\n"));
  CHECK(reading.Problems() == "error check.unknown 3:25\nerror blueprint.point 4:33\n");
  // weval reads both files.
  TestReading like_weval;
  like_weval.options.compat = Compat::kWeval;
  like_weval.options.check_names = {"contains"};
  CHECK(like_weval.Read("t.yml",
                        "models: [echo:a]\n---\n- {prompt: a, should: [{$contians: b}]}\n"
                        "- {id: two, prompt: c, should: be nice}\n"));
  CHECK(like_weval.Problems() == "warning blueprint.rubric-not-list 4:32\n");
}

TEST_CASE("what is neither YAML nor JSON by its name gets a sentence") {
  TestReading reading;
  CHECK_FALSE(reading.Read("notes.txt", "Ask about deposits.\n"));
  CHECK(reading.Problems() == "error suite.unknown-format 1:1\n");
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
       "error blueprint.lost-header-key 1:1\nwarning blueprint.lost-header-key 2:1\n"
       "warning blueprint.no-points 5:1\n"},
      {"models: [echo:a]\n---\n- {prompt: a, models: [echo:b]}\n",
       "warning blueprint.lost-header-key 3:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: []}\n- {prompt: b, points: }\n",
       "warning blueprint.no-points 3:15\nwarning blueprint.no-points 4:15\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [], ideal: i}\n- {prompt: b, should: [], expect: [c]}\n",
       "warning blueprint.two-names 4:27\n"},
      {"models: [echo:a]\n---\n- {promt: a, should: [b]}\n", "error blueprint.unknown-key 3:4\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [{ponit: b, weight: 2}]}\n",
       "error blueprint.point 3:24\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: be polite}\n", "error blueprint.rubric-not-list 3:23\n"},
      {"models: [echo:a]\n---\n- {prompt: a, should: [b], points: [c]}\n",
       "warning blueprint.two-names 3:28\n"},
      {"models: [echo:a]\n---\n- {prompt: a, promptText: b, ideal: c, idealResponse: d, should: [e]}\n",
       "warning blueprint.two-names 3:15\nwarning blueprint.two-names 3:40\n"},
      {"title: T\nmodels: [echo:a]\n", "error blueprint.no-prompts 1:1\n"},
      {"models: [echo:a]\nevaluationConfig: {llm-coverage: {judgeModels: [echo:j]}}\n---\n- prompt: a\n",
       "warning blueprint.judge-models 2:35\n"},
      {"models: [echo:a]\nevaluationConfig: {llm-coverage: {judgeModels: [echo:j], judges: [{model: "
       "\"echo:k\"}]}}\n"
       "---\n- prompt: a\n",
       ""},
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
       "error blueprint.custom-model 1:84\n", "error blueprint.custom-model 1:84\n"},
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

TEST_CASE("keys of the header in a prompt, and two names of one key") {
  struct Row {
    std::string text;
    std::string want;
  };
  const Row rows[] = {
      {"---\n- {prompt: a, max_tokens: 9, defs: {}}\n",
       "warning blueprint.lost-header-key 3:15\nwarning blueprint.lost-header-key 3:30\n"},
      {"---\n- {prompt: a, references: [x], prompts: []}\n",
       "warning blueprint.unknown-key 3:15\nwarning blueprint.unknown-key 3:32\n"},
      {"max_tokens: 9\nmaxTokens: 8\n---\n- prompt: a\n", "warning blueprint.two-names 3:1\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    TestReading reading;
    CHECK(reading.Read("t.yml", "models: [echo:a]\n" + row.text).has_value());
    CHECK(reading.Problems() == row.want);
  }
}

}  // namespace assay::blueprint
