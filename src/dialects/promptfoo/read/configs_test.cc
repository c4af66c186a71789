// Tests of reading configs: what is wrong with them, and where.
#include "dialects/promptfoo/read/configs.h"

#include <doctest/doctest.h>

#include "dialects/promptfoo/test_config.h"

namespace assay::promptfoo {
namespace {

// Whether a line of the problems begins so.
bool Tells(const std::string& problems, std::string_view start) {
  return problems.starts_with(start) || problems.find("\n" + std::string(start)) != std::string::npos;
}

TEST_CASE("all problems are told at once, each with its place") {
  TestConfig test(
      "prompts: [{raw: x}]\n"
      "providers: [{label: l}]\n"
      "tests:\n"
      "  - {description: only}\n"
      "  - {vars: {x: 1}, assert: {type: equals}}\n"
      "  - {vars: {x: 1}, assert: [{value: 1}]}\n"
      "  - {vars: {x: 1}, assert: [{type: containsAny, value: 1}]}\n");
  CHECK_FALSE(test.Read());
  const std::string problems = test.Problems();
  CHECK(Tells(problems, "error promptfoo.prompt c.yaml:1:11: a prompt: expected a label, found none"));
  CHECK(Tells(problems, "error promptfoo.provider c.yaml:2:13: a provider: expected `id`, found none"));
  CHECK(Tells(problems, "error promptfoo.test c.yaml:4:5: a test: expected one of vars"));
  CHECK(Tells(problems, "error promptfoo.test c.yaml:5:28: assert: expected a list, found"));
  CHECK(Tells(problems, "error promptfoo.test c.yaml:6:29: an assertion: expected a type, found none"));
  CHECK(Tells(problems,
              "error promptfoo.test c.yaml:7:36: there is no assertion \"containsAny\" (did you mean "
              "contains-any?)"));
}

TEST_CASE("unknown keys are warnings with what is meant") {
  TestConfig test(
      "prompt: [x]\n"
      "prompts: [x]\n"
      "providers: [echo]\n"
      "tests: [{vars: {x: 1}, asert: []}]\n");
  CHECK(test.Read());
  CHECK(
      test.Problems() ==
      "warning promptfoo.unknown-key c.yaml:1:1: unknown key \"prompt\" of a config (did you mean prompts?)\n"
      "warning promptfoo.unknown-key c.yaml:4:24: unknown key \"asert\" of a test (did you mean assert?)\n");
}

TEST_CASE("files that are not there, unless promptfoo's own rules hold") {
  TestConfig test("prompts: [file://p.txt]\nproviders: [echo]\ntests: file://t/*.yaml\n");
  CHECK_FALSE(test.Read());
  CHECK(Tells(test.Problems(), "error promptfoo.file c.yaml:1:11: \"p.txt\" cannot be read"));
  CHECK(Tells(test.Problems(), "error promptfoo.tests c.yaml:3:8: tests: no file is named \"t/*.yaml\""));
  TestConfig lenient("prompts: [x]\nproviders: [echo]\ntests: file://t/*.yaml\n");
  lenient.options.is_compatible = true;
  CHECK(lenient.Read());
  CHECK(lenient.config->tests.size() == 1);
}

TEST_CASE("references, the environment and code") {
  TestConfig test(
      "prompts: ['{{ env.PLACE }} {{ env.GONE }}', file://f.js]\n"
      "providers: [{$ref: '#/assertionTemplates/p'}]\n"
      "assertionTemplates: {p: {id: echo, label: one}}\n"
      "nunjucksFilters: {shout: ./shout.js}\n"
      "env: {PLACE: '{{ env.HOME_CITY }}!'}\n");
  test.options.environment["HOME_CITY"] = "Oslo";
  REQUIRE(test.Read());
  CHECK(test.config->prompts[0].raw == "Oslo! {{ env.GONE }}");
  CHECK(test.config->providers[0].label == "one");
  REQUIRE(test.config->code.size() == 2);
  CHECK(test.config->code[0].named == "file://f.js");
  CHECK(test.config->code[1].use == CodeUse::kFilter);
}

TEST_CASE("a reference to itself ends") {
  TestConfig test(
      "prompts: [x]\nproviders: [echo]\nassertionTemplates: {a: {$ref: '#/assertionTemplates/a'}}\n");
  CHECK_FALSE(test.Read());
  CHECK(Tells(test.Problems(), "error promptfoo.ref c.yaml:3:32"));
}

TEST_CASE("columns of a table that begin with two underscores") {
  TestConfig test("prompts: ['{{x}}']\nproviders: [echo]\ntests: t.csv\n");
  test.files.files["t.csv"] =
      "x,__expected,__metric,__threshold,__metadata:k,__metadata:l[],__config:__expected:threshold,__prefix\n"
      "a,levenshtein:b,m,0.5,v,\"p, q\\, r\",3,P\n";
  REQUIRE(test.Read());
  const Test& read = test.config->tests.front();
  CHECK(read.description == "Row #1");
  CHECK(read.asserts.front().TextAt("metric") == "m");
  CHECK(read.asserts.front().NumberAt("threshold") == 3);
  CHECK(read.threshold.AsNumber() == 0.5);
  CHECK(read.metadata.TextAt("k") == "v");
  CHECK(read.metadata.ListAt("l").size() == 2);
  CHECK(read.metadata.NumberAt("threshold") == 3);
  CHECK(read.options.TextAt("prefix") == "P");
  CHECK(read.variables.size() == 1);
}

TEST_CASE("a line of JSON tells its place") {
  TestConfig test("prompts: ['{{x}}']\nproviders: [echo]\ntests: t.jsonl\n");
  test.files.files["t.jsonl"] = "{\"vars\":{\"x\":1}}\n{\"vars\":{\"x\":1},\"asser\":1}\n{bad\n";
  CHECK_FALSE(test.Read());
  CHECK(Tells(test.Problems(), "warning promptfoo.unknown-key t.jsonl:2:17: unknown key \"asser\""));
  CHECK(Tells(test.Problems(), "error promptfoo.tests t.jsonl:3:2: expected one test of JSON a line"));
}

}  // namespace
}  // namespace assay::promptfoo
