// Tests of what promptfoo's options take, and of what becomes of them.
#include "dialects/promptfoo/own_options.h"

#include <doctest/doctest.h>

#include "dialects/promptfoo/test_config.h"

namespace assay::promptfoo {
namespace {

const DialectOption& Row(std::string_view name) {
  for (const DialectOption& option : kPromptfooOptions) {
    if (option.name == name) return option;
  }
  FAIL("there is no such option");
  return kPromptfooOptions[0];
}

struct CommandLine {
  FolderFiles files;
  SourceFiles sources;
  Diagnostics diagnostics;
  ReadOptions options;

  void Say(std::string_view name, std::string_view text) { REQUIRE(SetOwn(Row(name), text, options.own)); }
  ReadInput Input() { return {"suites/c.yaml", options, files, sources, diagnostics}; }
  EvalOptions Read() { return EvalOptionsOf(Input()); }
};

std::string Refused(std::string_view name, std::string_view text) {
  OwnOptions own;
  const Status set = SetOwn(Row(name), text, own);
  return set ? std::string() : set.error().message;
}

TEST_CASE("without a word the options are those of a config alone") {
  CommandLine line;
  const EvalOptions options = line.Read();
  CHECK_FALSE(options.is_compatible);
  CHECK(options.folder.empty());
  CHECK(options.environment.empty());
  CHECK(options.prompts.empty());
  CHECK(options.tests.empty());
  CHECK(options.grader.empty());
  CHECK_FALSE(options.prefix);
  CHECK_FALSE(options.repeat);
  CHECK_FALSE(options.first_tests);
  CHECK_FALSE(options.test_range);
  CHECK(ConfigPathsOf(line.Input()) == std::vector<std::string>{"suites/c.yaml"});
}

TEST_CASE("each option has its member") {
  CommandLine line;
  line.options.compat = Compat::kPromptfoo;
  line.options.attempts = 3;
  line.Say("tests", "more.csv");
  line.Say("prompts", "a {{b}}");
  line.Say("prompts", "p.txt");
  line.Say("providers", "echo");
  line.Say("var", "language=French = plain");
  line.Say("var", "empty=");
  line.Say("grader", "openai:gpt-6-luna");
  line.Say("filter-first-n", "5");
  line.Say("filter-range", "2:4");
  line.Say("filter-pattern", "^a");
  line.Say("filter-providers", "gpt");
  line.Say("filter-prompts", "short");
  line.Say("filter-metadata", "kind=x");
  line.Say("prompt-prefix", "Hello. ");
  line.Say("prompt-suffix", " Bye.");
  line.Say("config", "b.yaml");
  const EvalOptions options = line.Read();
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  CHECK(options.is_compatible);
  CHECK(options.repeat == 3);
  CHECK(options.tests == "more.csv");
  CHECK(options.prompts == std::vector<std::string>{"a {{b}}", "p.txt"});
  CHECK(options.providers == std::vector<std::string>{"echo"});
  CHECK(options.variables == Pairs{{"language", "French = plain"}, {"empty", ""}});
  CHECK(options.grader == "openai:gpt-6-luna");
  CHECK(options.first_tests == 5);
  CHECK(options.test_range == std::pair<std::size_t, std::size_t>{2, 4});
  CHECK(options.description_pattern == "^a");
  CHECK(options.provider_pattern == "gpt");
  CHECK(options.prompt_pattern == "short");
  CHECK(options.metadata == Pairs{{"kind", "x"}});
  CHECK(options.prefix == "Hello. ");
  CHECK(options.suffix == " Bye.");
  CHECK(ConfigPathsOf(line.Input()) == std::vector<std::string>{"suites/c.yaml", "b.yaml"});
}

TEST_CASE("a range may lack one of its ends") {
  CommandLine line;
  line.Say("filter-range", "10:");
  CHECK(line.Read().test_range == std::pair<std::size_t, std::size_t>{10, SIZE_MAX});
  line.Say("filter-range", ":10");
  CHECK(line.Read().test_range == std::pair<std::size_t, std::size_t>{0, 10});
}

TEST_CASE("a value that means nothing is refused with an example") {
  CHECK(Refused("var", "x") == "expected NAME=VALUE, for example language=French, found \"x\"");
  CHECK_FALSE(Refused("filter-metadata", "=x").empty());
  CHECK(Refused("filter-first-n", "0") == "expected a number from 1 to 1000000000, found \"0\"");
  for (const std::string_view text : {":", "5", "a:b", "1:2:3", "-1:2"}) {
    CAPTURE(text);
    CHECK(Refused("filter-range", text) ==
          "expected the numbers of two tests, such as 0:10 (the first ten), 10: or :10, found \"" +
              std::string(text) + "\"");
  }
}

TEST_CASE("what the process says stands before .env, the current folder before the config's") {
  CommandLine line;
  line.options.environment = {{"A", "process"}};
  line.files.files[".env"] = "A=here\nB='here'\n";
  line.files.files["suites/.env"] = "export B=beside\nC=beside # a comment\n";
  CHECK(line.Read().environment == Environment{{"A", "process"}, {"B", "here"}, {"C", "beside"}});

  line.files.files["own.env"] = "B=own\n";
  line.Say("env-file", "own.env");
  CHECK(line.Read().environment == Environment{{"A", "process"}, {"B", "own"}});
  CHECK_FALSE(line.diagnostics.HasErrors());

  line.Say("env-file", "gone.env");
  line.Read();
  REQUIRE(line.diagnostics.ErrorCount() == 1);
  CHECK(line.diagnostics.All()[0].message.find("gone.env") != std::string::npos);
}

TEST_CASE("a grader of the command line stands in the place of the config's, not of a test's own") {
  TestConfig test(
      "prompts: [a]\nproviders: [echo]\ndefaultTest: {options: {provider: echo:b}}\n"
      "tests: [{vars: {x: 1}}, {vars: {x: 2}, options: {provider: echo:c}}]\n");
  test.options.grader = "echo:g";
  REQUIRE(test.Read());
  const std::optional<Expansion> expansion = Expand(*test.config, test.options, test.Access());
  REQUIRE(expansion);
  CHECK(expansion->tests[0].options.TextAt("provider") == "echo:g");
  CHECK(expansion->tests[1].options.TextAt("provider") == "echo:c");
}

}  // namespace
}  // namespace assay::promptfoo
