// Unit tests of warnings about texts that lose a part without an error.
#include "dialects/slips/plain_texts.h"

#include <doctest/doctest.h>
#include <algorithm>

#include <string>

#include "text/yaml/yaml.h"

namespace assay {
namespace {

// "swallowed-item@3", "cut-text@1": the codes and lines of all warnings.
std::string Told(const std::string& text) {
  SourceFiles sources;
  const FileId file = sources.Add("a.yml", text);
  Diagnostics diagnostics;
  for (const Value& document : ReadYaml(file, text, YamlRules::kJsYaml, diagnostics))
    WarnOfPlainTexts(document, text, "x", diagnostics);
  std::string told;
  for (const Diagnostic& each : diagnostics.All()) {
    const auto line = 1 + std::count(text.begin(), text.begin() + each.where.offset, '\n');
    told +=
        (told.empty() ? "" : " ") + each.code.substr(each.code.find('.') + 1) + "@" + std::to_string(line);
  }
  return told;
}

TEST_CASE("plain texts that lose a part") {
  struct Row {
    std::string text;
    std::string want;
  };
  const Row rows[] = {
      {"- a\n   - b\n", "swallowed-item@2"},
      {"should:\n  - a\n    - b\n  - c\n", "swallowed-item@3"},
      {"- a\n- b\n", ""},
      {"- - a\n  - b\n", ""},
      {"- 'a\n   - b'\n", ""},
      {"ideal: x = 180\n    - 65\n", ""},  // a sum, of no list
      {"- a long text\n  that goes on\n", ""},
      {"- |\n  a\n   - b\n", ""},
      {"- Names issue #12\n", "cut-text@1"},
      {"- Explains C # and C\n", "cut-text@1"},
      {"prompt: What is #1 of them?\n", "cut-text@1"},
      {"- a  #tag\n", "cut-text@1"},
      {"- one two  # a comment\n", ""},
      {"- word # a comment\n", ""},
      {"- 'one two' # a comment\n", ""},
      {"- one#two\n", ""},
      {"- 200 # wrong on purpose\n", ""},
      {"- one two ##\n", ""},
      {"[a b, c d] # a comment\n", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(Told(row.text) == row.want);
  }
}

}  // namespace
}  // namespace assay
