// Tests of warnings about InfiBench cases, and their places.
#include "dialects/infibench/lint/lint.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "spec/suite/check.h"
#include "text/yaml/yaml.h"

namespace assay::infibench {
namespace {

// "code@line:column" of each warning, between blanks.
std::string Lint(const std::string& text, std::string_view prompt = {}) {
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add("case.yaml", text);
  const auto documents = ReadYaml(file, text, YamlRules::kPyYaml, diagnostics);
  REQUIRE(documents.size() == 1);
  REQUIRE(diagnostics.All().empty());
  std::vector<Check> checks;
  const Value* grading = documents[0].Find("grading");
  if (const Value* unit_test = grading == nullptr ? nullptr : grading->Find("unit_test")) {
    checks.emplace_back().kind = "unit_test";
    checks.back().args = *unit_test;
  }
  LintCase(documents[0], checks, prompt, Severity::kWarning, diagnostics);
  std::string said;
  for (const Diagnostic& diagnostic : diagnostics.All()) {
    CHECK(diagnostic.severity == Severity::kWarning);
    CHECK(!diagnostic.hint.empty());
    const LineColumn place = sources.Locate(diagnostic.where);
    if (!said.empty()) said += ' ';
    said += fmt::format("{}@{}:{}", diagnostic.code.substr(std::string_view("infibench.").size()), place.line,
                        place.column);
  }
  return said;
}

TEST_CASE("what a case says and nothing reads") {
  struct Row {
    std::string_view grading;  // below "grading:", indented by two
    std::string_view want;
  };
  const Row rows[] = {
      {"keywords: [one, {content: two, weight: 2.0, to_lower: true, neg: false}]", ""},
      {"keywords: [{content: 'a.b', regex: true}]", "ignored@2:31"},
      {"keywords: [{content: a, cond: 'ans'}]", "ignored@2:27"},
      {"keywords: [{content: {content: a, cond: 'len(ans) >'}}]", ""},
      {"keywords: [{content: {content: a, cond: 'len(ans > 3'}}]", "condition@2:43"},
      {"keywords: [{content: {content: a, cond: \"ans == 'x\"}}]", "condition@2:43"},
      {"keywords: [{content: {content: a, cond: 'ans = 3'}}]", "condition@2:43"},
      {"keywords: [{content: {content: a, cond: 'ans && ans'}}]", "condition@2:43"},
      {"keywords: [{content: {content: a, cond: 'f(x=1, y=[2])'}}]", ""},
      {"keywords: [{content: {content: a, cond: 3}}]", "condition@2:43"},
      {"keywords: [{content: {content: a, cond: ''}}]", "condition@2:43"},
      {"keywords: [{content: {content: A, to_lower: true}}]", "ignored@2:37"},
      {"keywords: [{content: {or: [a, {and: [b, {content: C, weight: 2}]}]}}]", "ignored@2:56"},
      {"keywords: [{content: {or: [a], content: null}}]", "ignored@2:34"},
      {"keywords: [{content: {or: [a], and: [b]}}]", "ignored@2:34"},
      {"keywords: [{content: a, wieght: 2}]", "unknown-key@2:27"},
      {"keywords: [{post_handler: {module: m, func: f, args: 1}}]", "unknown-key@2:50"},
      {"keywords: [{content: a, to_lower: 'false'}]", "truth@2:37"},
      {"keywords: [{content: a, to_lower: ''}]", ""},
      {"keywords: [{content: {content: '\\S+', regex: true}, to_lower: true}]", "lowered-regex@2:34"},
      {"keywords: [{content: {content: '\\S+', regex: true}}]", ""},
      {"keywords: [{content: {content: '\\S+'}, to_lower: true}]", ""},
      {"keywords: [{content: {regex: true, or: ['[A-Z]\\\\S', '(?P<n>a)']}, to_lower: true}]",
       "lowered-regex@2:55"},
      {"keywords: [{content: {regex: true, or: [{content: '\\W', regex: false}]}, to_lower: true}]", ""},
      {"blank_filling: {template: 'a [blank] b', targets: [x]}", ""},
      {"blank_filling: {template: '[blank] b', targets: [x]}", "unreachable-blank@2:29"},
      {"blank_filling: {template: 'a [blank]', targets: [x]}", "unreachable-blank@2:29"},
      {"blank_filling: {template: 'a __ b', blank_str: _, targets: [x, y]}", "unreachable-blank@2:29"},
      {"blank_filling: {template: 'a [blank] b', targets: [{content: {or: [x, y]}}]}", "dict-blank@2:64"},
      {"blank_filling: {template: 'a [blank] b', targets: [{content: []}]}", "unreachable-blank@2:64"},
      {"blank_filling: {template: 'a [blank] b', targets: [{content: x, regex: true}]}", "ignored@2:67"},
      {"blank_filling: {template: 'a [blank] b', targets: [{content: [{content: X, to_lower: true}]}]}",
       "ignored@2:78"},
      {"blank_filling: {template: 'a [blank] b', targets: [\"'x'\", x]}", "unreachable-answer@2:54"},
      {"blank_filling: {template: 'a [blank] b', escape: '', targets: [\"'x'\"]}", ""},
      {"blank_filling: {template: 'a [blank] b', targets: [{content: [\"'x\", y], substr_match: true}]}", ""},
      {"blank_filling: {template: 'a [blank] b', targets: [{content: [{content: '\\D', regex: true}], "
       "to_lower: true}]}",
       "lowered-regex@2:75"},
      {"unit_test: {tests: [{path: t.py, content: 'x'}]}", "ignored@2:36"},
      {"unit_test: {tests: [{content: 'x', time: 3}]}", "unknown-key@2:38"},
      {"similarity: [{metric: rouge1, references: 'one text'}]", "characters@2:45"},
      {"similarity: [{metric: rouge1, references: [{path: a.txt, weight: 1}]}]", "unknown-key@2:60"},
      {"customized: {module: m, func: f, real_metric: keywords}", "unknown-key@2:36"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.grading);
    CHECK(Lint(fmt::format("grading:\n  {}\n", row.grading)) == row.want);
  }
}

TEST_CASE("prompts that depend on pages outside") {
  struct Row {
    std::string_view prompt;
    std::string_view want;
  };
  const Row rows[] = {
      {"No page.", ""},
      {"One.\nSee https://images.invalid/a.png for it.", "external-url@1:14"},
      {"curl http://localhost:8000/ and https://example.com/x, xmlns=\"http://www.w3.org/2000/svg\"", ""},
      {"the http module", ""},
      {"two: http://a.invalid http://b.invalid", "external-url@1:14"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.prompt);
    CHECK(Lint("prompt_path: p.txt\ngrading: {}\n", row.prompt) == row.want);
  }
}

TEST_CASE("calls that a test does not explain") {
  struct Row {
    std::string_view lang;
    std::string_view code;
    std::vector<std::string> want;
  };
  const Row rows[] = {
      {"python", "assert half(4) == 2", {"half"}},
      {"python", "def half(x):\n  return x / 2\nassert half(4) == 2", {}},
      {"python", "from m import half\nassert len(half(4)) == 2  # twice(4)", {}},
      {"python", "assert obj.half(4) == 2 and 'f(x)' and \"\"\"g(x)\"\"\"", {}},
      {"python", "assert half(third(4)) == half(2)", {"half", "third"}},
      {"javascript", "const assert = require('assert'); assert.equal(add(1, 2), 3); // sub(1)", {"add"}},
      {"js", "const add = (a, b) => a + b; if (add(1, 2) !== 3) throw new Error(`bad(1)`)", {}},
      {"c++/c", "int main() { return sq(3) == 9 ? 0 : 1; }", {"sq"}},
      {"cpp",
       "#include <vector>\nint cube(int x) { return x; }\nint main() { std::vector<int> v(3); return "
       "cube(3); }",
       {}},
      {"java",
       "class Main { public static void main(String[] a) { System.out.println(twice(2)); } }",
       {"twice"}},
      {"r", "library(dplyr)\nassert(all.equal(filter(x), 4))", {}},
      {"bash", "[ \"$(double 2)\" = 4 ]", {}},
      {"", "f(x)", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.code);
    CHECK(FreeCalls(row.code, row.lang) == row.want);
  }
}

TEST_CASE("tests that call what the prompt does not name") {
  const std::string text =
      "grading:\n  unit_test:\n    lang: python\n    tests:\n    - assert half(4) == 2\n"
      "    - {content: assert third(9) == 3, prefix: third = 3}\n";
  CHECK(Lint(text, "Write a function.") == "unnamed-call@5:7");
  CHECK(Lint(text, "Write a function `half(x)`.") == "");
  CHECK(Lint(text, "Write by halfs.") == "unnamed-call@5:7");
  CHECK(Lint(text, "") == "");
}

TEST_CASE("what no answer can fail or pass is told") {
  const auto test = [](std::string_view lang, std::string_view code) {
    return fmt::format("grading:\n  unit_test:\n    lang: {}\n    tests:\n    - {}\n", lang, code);
  };
  CHECK(Lint(test("python", "half(4)"), "Write half(x).") == "no-assertion@5:7");
  CHECK(Lint(test("python", "assert half(4) == 2"), "Write half(x).") == "");
  CHECK(Lint(test("c++", "half(4)"), "Write half(x).") == "");
  CHECK(Lint("grading:\n  keywords: [{content: a, neg: true}]\n") == "zero-total@2:13");
  CHECK(Lint("grading:\n  keywords: [{content: a, neg: true}, b]\n") == "");
  CHECK(Lint("weight: 2\ngrading: {}\n") == "ignored@1:1");
  CHECK(Lint("promt_path: p.txt\ngrading: {}\n") == "unknown-key@1:1");
}

}  // namespace
}  // namespace assay::infibench
