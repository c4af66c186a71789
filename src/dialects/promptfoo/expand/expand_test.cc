// Tests of expansion: rows, columns and the prompts of cells.
#include "dialects/promptfoo/expand/expand.h"

#include <doctest/doctest.h>

#include "dialects/promptfoo/test_config.h"

namespace assay::promptfoo {
namespace {

TEST_CASE("tests, repetitions, combinations and columns in their order") {
  TestConfig test(
      "prompts: ['A{{a}}{{b}}', {raw: 'B{{a}}', label: 'g:b'}]\n"
      "providers: [echo, {id: echo, label: two, prompts: [g]}]\n"
      "tests:\n"
      "  - {vars: {a: [x, y], b: ['1', '2']}, prompts: ['A{{a}}{{b}}']}\n"
      "  - {vars: {a: z}, options: {repeat: 2}, providers: [two]}\n");
  CHECK(test.Cells() == "Ax1\nAx2\nAy1\nAy2\nBz\nBz\n");
  CHECK(test.expansion->columns.size() == 3);
}

TEST_CASE("defaultTest and scenarios") {
  TestConfig test(
      "prompts: ['{{l}}{{t}}{{d}}']\n"
      "providers: [echo]\n"
      "defaultTest: {vars: {d: D}, options: {prefix: 'P '}, assert: [{type: contains, value: a}]}\n"
      "scenarios: [{config: [{vars: {l: fr}}, {vars: {l: es}}], tests: [{vars: {t: T}}]}]\n");
  CHECK(test.Cells() == "P frTD\nP esTD\n");
  CHECK(test.expansion->tests[1].metadata.TextAt("conversationId") == "__scenario_1__");
  CHECK(test.expansion->tests[1].asserts.size() == 1);
}

TEST_CASE("values of variables are pasted as they are, unless promptfoo's own rules hold") {
  const std::string text =
      "prompts: ['{{a}}']\nproviders: [echo]\ntests: [{vars: {a: 'x {{ b }} y', b: 'cost $$5'}}]\n";
  TestConfig ours(text);
  CHECK(ours.Cells() == "x cost $$5 y\n");
  TestConfig theirs(text);
  theirs.options.is_compatible = true;
  CHECK(theirs.Cells() == "x cost $5 y\n");
}

TEST_CASE("a prompt of JSON is rendered text by text") {
  TestConfig test(
      "prompts: ['[{\"role\":\"user\",\"content\":\"{{a}}\",\"n\":0.50}]']\n"
      "providers: [echo]\n"
      "tests: [{vars: {a: \"q\\\"\\n\"}}]\n");
  CHECK(test.Cells() ==
        "[\n  {\n    \"role\": \"user\",\n    \"content\": \"q\\\"\",\n    \"n\": 0.5\n  }\n]\n");
}

TEST_CASE("files of variables") {
  TestConfig test(
      "prompts: ['{{a}}|{{b}}']\nproviders: [echo]\ntests: [{vars: {a: 'file://v/*.txt', b: "
      "file://v/y.yaml}}]\n");
  test.files.files["v/1.txt"] = " one\n\n";
  test.files.files["v/2.txt"] = "two {{b}}";
  test.files.files["v/y.yaml"] = "k: [1, x]\n";
  CHECK(test.Cells() == "one|{\"k\":[1,\"x\"]}\ntwo {\"k\":[1,\"x\"]}|{\"k\":[1,\"x\"]}\n");
  TestConfig missing("prompts: ['{{a}}']\nproviders: [echo]\ntests: [{vars: {a: file://no.txt}}]\n");
  CHECK(
      missing.Cells() ==
      "error promptfoo.variable c.yaml:3:20: a: no file is named \"no.txt\" (name a file from the folder of "
      "the config)\n");
}

TEST_CASE("a template that cannot be rendered is an error of its cell") {
  TestConfig test(
      "prompts: ['{{ x | nosuch }}', '{{ x', 'ok {{x}}']\nproviders: [echo]\ntests: [{vars: {x: 1}}]\n");
  const std::string cells = test.Cells();
  CHECK(cells.starts_with("error: the template cannot be rendered: "));
  CHECK(cells.ends_with("\n{{ x\nok 1\n"));
}

TEST_CASE("transformVars makes variables before they are combined") {
  TestConfig test(
      "prompts: ['{{x}}{{y}}']\nproviders: [echo]\n"
      "tests: [{vars: {x: ab}, options: {transformVars: '({y: vars.x.split(\"\")})'}}]\n");
  CHECK(test.Cells() == "aba\nabb\n");
  TestConfig broken(
      "prompts: ['{{x}}']\nproviders: [echo]\ntests: [{vars: {x: a}, options: {transformVars: "
      "'undefined'}}]\n");
  CHECK(broken.Cells().starts_with("error promptfoo.transform c.yaml:3:"));
}

}  // namespace
}  // namespace assay::promptfoo
