// Unit tests of the slips that YAML's own messages hide.
#include "text/yaml/slips/slip.h"

#include <doctest/doctest.h>

#include <string>

#include "base/errors/diagnostics.h"
#include "text/yaml/yaml.h"

namespace assay {
namespace {

TEST_CASE("slips are named where reading breaks") {
  struct Row {
    std::string text;
    std::string want;  // in the message
    std::size_t line;
  };
  const Row rows[] = {
      {"- prompt:Why?\n  should:\n  - a\n", "a space is missing after \"prompt:\"", 1},
      {"- id: a\n  prompt:Why?\n  should:\n  - a\n", "a space is missing after \"prompt:\"", 2},
      {"models: [a]\n--\n- prompt: a\n", "this line separates nothing: --", 2},
      {"models: [a]\n----\n- prompt: a\n", "this line separates nothing: ----", 2},
      {"title: a\n--\nprompt: b\n", "this line separates nothing: --", 2},
      {"should:\n  - a\n  – b\n", "– begins no item of a list", 3},
      {"– prompt: a\n  should:\n  - b\n", "– begins no item of a list", 1},
      {"• prompt: a\n  should:\n  - b\n", "• begins no item of a list", 1},
      {"- prompt: a\nshould:\n- b\n", "\"should\" does not belong to the item above", 2},
      {"prompts:\n  - prompt: a\n  should:\n  - b\n", "\"should\" does not belong to the item above", 3},
      {"a: \"{{x | replace(\"b\", \"c\")}}\"\n",
       "put the whole text in single quotes: '{{x | replace(\"b\", \"c\")}}'", 1},
      {"- \"{{x | join(\"; \")}}\"\n- b\n", "single quotes: '{{x | join(\"; \")}}'", 1},
      {"a: [{$b: \"{{x | after(\"y\")}}\"}]\n", "single quotes: '{{x | after(\"y\")}}'", 1},
      {"a: \"It's \"b\" here\"\n", "write \\\" for each double quote", 1},
      {"a: b: c\n", "\": \" is at a place where no key is expected", 1},
      {"- echo:a\n  should: b\n", "\": \" is at a place where no key is expected", 2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    SourceFiles sources;
    const FileId file = sources.Add("a.yml", row.text);
    Diagnostics diagnostics;
    ReadYaml(file, row.text, YamlRules::kJsYaml, diagnostics);
    REQUIRE(diagnostics.ErrorCount() == 1);
    const std::string told = FormatDiagnostics(diagnostics, sources);
    CAPTURE(told);
    CHECK(told.find(row.want) != std::string::npos);
    CHECK(told.starts_with("a.yml:" + std::to_string(row.line) + ":"));
  }
}

}  // namespace
}  // namespace assay
