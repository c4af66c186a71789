// Tests of configs as suites: cases, variants, prompts, attempts, checks and graders.
#include "dialects/promptfoo/lower/suite.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "dialects/promptfoo/lower/chat.h"
#include "dialects/promptfoo/lower/models.h"
#include "dialects/promptfoo/test_config.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

struct Lowered {
  TestConfig test;
  ReadOptions read;
  std::optional<Suite> suite;

  explicit Lowered(std::string text) : test(std::move(text)) {}
  bool Lower() {
    if (!test.Read()) return false;
    const ReadInput input{"c.yaml", read, test.files, test.sources, test.diagnostics};
    suite = LowerConfig(*test.config, test.options, input);
    return suite.has_value();
  }
  // "a+b" for the ids of cases or variants.
  std::string Cases() const {
    std::string ids;
    for (const Case& the_case : suite->cases) ids += (ids.empty() ? "" : "+") + the_case.id;
    return ids;
  }
  std::string Variants() const {
    std::string ids;
    for (const Variant& variant : suite->variants) ids += (ids.empty() ? "" : "+") + variant.id;
    return ids;
  }
};

TEST_CASE("columns are variants, tests with their combinations are cases, repetitions are attempts") {
  Lowered table(
      "prompts: ['a {{x}}', {raw: 'b {{x}}', label: second}]\n"
      "providers: [{id: 'openai:chat:m', label: mini}, echo]\n"
      "tests:\n"
      "  - {vars: {x: [1s, 2s]}, description: both}\n"
      "  - {vars: {x: y}, options: {repeat: 3}}\n");
  REQUIRE(table.Lower());
  CHECK(table.Variants() ==
        "mini[prompt:a {{x}}]+mini[prompt:second]+echo:echo[prompt:a {{x}}]+echo:echo[prompt:second]");
  CHECK(table.Cases() == "both+both #2+test-2");
  CHECK(table.suite->attempts == 1);
  CHECK(table.suite->cases[2].attempts == 3);
  const Case& second = table.suite->cases[1];
  CHECK(AskingOf(second, table.suite->variants[1])->text == "b 2s");
  CHECK(second.turns.front().text == "a 2s");
  CHECK(table.suite->variants[0].params.temperature == 0);
  CHECK(table.suite->variants[0].params.max_tokens == 1024);
  CHECK_FALSE(table.suite->variants[2].params.temperature.has_value());
}

TEST_CASE("one prompt of texts needs no askings; messages do, and an echo gets their text") {
  Lowered plain("prompts: ['{{x}}']\nproviders: [echo]\ntests: [{vars: {x: a}}, {vars: {x: b}}]\n");
  REQUIRE(plain.Lower());
  CHECK(plain.suite->variants[0].asking.empty());
  CHECK(plain.suite->cases[1].askings->empty());
  CHECK(plain.suite->cases[1].turns.front().text == "b");
  // The first case is no list of messages, the second one is.
  Lowered mixed(
      "prompts: ['{{x}}']\nproviders: ['openai:m']\n"
      "tests: [{vars: {x: a}}, {vars: {x: '[{\"role\": \"system\", \"content\": \"s\"}, {\"role\": \"user\", "
      "\"content\": \"u\"}]'}}]\n");
  REQUIRE(mixed.Lower());
  const Variant& variant = mixed.suite->variants[0];
  CHECK(AskingOf(mixed.suite->cases[0], variant)->text == "a");
  REQUIRE(mixed.suite->cases[1].askings->size() == 1);
  CHECK(AskingOf(mixed.suite->cases[1], variant)->turns.size() == 3);
  Lowered both(
      "prompts: ['[{\"role\": \"user\", \"content\": \"{{x}}\"}]']\nproviders: ['openai:m', echo]\n"
      "tests: [{vars: {x: a}}]\n");
  REQUIRE(both.Lower());
  const Case& the_case = both.suite->cases[0];
  CHECK(AskingOf(the_case, both.suite->variants[0])->turns.front().text == "a");
  CHECK(AskingOf(the_case, both.suite->variants[1])->turns.empty());
}

TEST_CASE("a test whose filters name no column is no case") {
  Lowered filtered(
      "prompts: [{raw: a, label: one}, {raw: b, label: two}]\nproviders: [echo]\n"
      "tests: [{vars: {x: 1}, prompts: [two]}, {vars: {x: 2}, prompts: [three]}]\n");
  REQUIRE(filtered.Lower());
  CHECK(filtered.Cases() == "test-1");
  CHECK(*filtered.suite->cases[0].variants == std::vector<VariantIndex>{1});
}

TEST_CASE("a given output is the answer, and nobody is asked") {
  Lowered given("prompts: [p]\nproviders: [echo]\ntests: [{providerOutput: {a: 1}}]\n");
  REQUIRE(given.Lower());
  const CaseAsking& asking = given.suite->cases[0].askings->front();
  REQUIRE(asking.turns.size() == 2);
  CHECK(asking.turns[1].kind == TurnKind::kText);
  CHECK(asking.turns[1].text == R"({"a":1})");
}

TEST_CASE("assertions are checks, with their graders among the judges that they name") {
  Lowered graded(
      "prompts: [p]\nproviders: [echo]\n"
      "defaultTest: {options: {provider: {text: 'openai:g', embedding: 'openai:embedding:e'}}}\n"
      "tests:\n"
      "  - vars: {city: Oslo}\n    threshold: '0.5'\n    assert:\n"
      "      - {type: contains, value: '{{city}}', weight: 2, metric: 'is {{city}}'}\n"
      "      - {type: assert-set, assert: [{type: equals, value: a}, {type: llm-rubric, value: r}]}\n"
      "      - {type: similar, value: s}\n");
  REQUIRE(graded.Lower());
  const Case& the_case = graded.suite->cases[0];
  REQUIRE(the_case.checks.size() == 3);
  CHECK(the_case.checks[0].text == "contains: Oslo");
  CHECK(the_case.checks[0].weight == 2);
  CHECK(*the_case.checks[0].metric == "is Oslo");
  CHECK(WriteJson(*the_case.checks[1].args.Find("graders"), JsonStyle::kJavaScript) == R"([{},{"text":0}])");
  CHECK(WriteJson(*the_case.checks[2].args.Find("graders"), JsonStyle::kJavaScript) ==
        R"([{"embedding":0}])");
  REQUIRE(graded.suite->named_judges.size() == 2);
  CHECK(graded.suite->named_judges[0].model_id == "openai:g");
  CHECK(the_case.checks[2].judges->front() == 1);
  CHECK(the_case.details.NumberAt("threshold") == 0.5);
}

TEST_CASE("code of the user's own is an error with its place, or left out") {
  const std::string text =
      "prompts: [p]\nproviders: [echo, 'exec: ./x']\ntests: [{assert: [{type: python, value: 'True'}]}]\n";
  Lowered refused(text);
  CHECK_FALSE(refused.Lower());
  CHECK(refused.test.Problems().find("error promptfoo.code c.yaml:2:19: a provider is code") !=
        std::string::npos);
  Lowered skipped(text);
  skipped.test.options.skips_code = true;
  REQUIRE(skipped.Lower());
  CHECK(skipped.Variants() == "echo:echo");
  CHECK(skipped.suite->cases[0].checks.empty());
}

TEST_CASE("scripts come along with what they import, from the config's folder alone") {
  Lowered scripts(
      "prompts: [p]\nproviders: [echo]\ntests: [{assert: [{type: javascript, value: 'file://a.js:f'}]}]\n");
  scripts.test.files.files["a.js"] = "const b = require('./b'); exports.f = b;";
  scripts.test.files.files["b.js"] = "module.exports = () => true;";
  REQUIRE(scripts.Lower());
  REQUIRE(scripts.suite->scripts.size() == 2);
  CHECK(scripts.suite->scripts[1].path == "b.js");
  Lowered outside(
      "prompts: [p]\nproviders: [echo]\ntests: [{assert: [{type: javascript, value: 'file://../a.js'}]}]\n");
  CHECK_FALSE(outside.Lower());
}

TEST_CASE("ids of providers name models of ours, and members of their config become parameters") {
  Map config;
  config.Append("max_tokens", 5.0);
  config.Append("tools", List());
  config.Append("apiHost", "h.example");
  config.Append("nonsense", 1.0);
  const NamedModel asked = ModelNamed("openai:chat:gpt-x", config, {});
  CHECK(asked.model_id == "openai:gpt-x");
  CHECK(asked.ref.base_url == "https://h.example/v1");
  CHECK(asked.params.max_tokens == 5);
  CHECK(asked.params.temperature == 0);
  CHECK(asked.params.extra.Find("tools") != nullptr);
  CHECK(asked.unsent == std::vector<std::string>{"nonsense"});
  CHECK_FALSE(ModelNamed("openai:o3-mini", {}, {}).params.temperature.has_value());
  CHECK(ModelNamed("https://h.example/a", {}, {}).generator == "http-template");
  CHECK(ModelNamed("demo:x", {}, {}).ref.provider == "demo");
  CHECK_FALSE(ModelNamed("webhook:https://h.example", {}, {}).problem.empty());
}

TEST_CASE("a prompt of YAML or JSON has messages; what only looks like JSON is an error") {
  CHECK(MessagesIn("- role: system\n  content: s\n- role: user\n  content: u")->size() == 2);
  CHECK(MessagesIn(R"([{"role": "user", "content": [{"type": "text", "text": "t"}]}])")->front().text == "t");
  CHECK(MessagesIn("plain")->empty());
  CHECK(MessagesIn(R"({"a": 1})")->empty());
  CHECK(MessagesIn("[not json")->empty());
  CHECK_FALSE(MessagesIn(R"([{"role": "user", ])").has_value());
  CHECK_FALSE(MessagesIn(R"([{"role": "user", "content": [{"type": "image_url"}]}])").has_value());
}

}  // namespace
}  // namespace assay::promptfoo
