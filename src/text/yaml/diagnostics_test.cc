// Tests of places, messages and limits of the YAML reader.
#include <doctest/doctest.h>

#include <string>

#include "text/limits.h"
#include "text/yaml/yaml.h"

namespace assay {
namespace {

// "line:column code hint" of the first problem.
std::string FirstProblem(const std::string& text, YamlRules rules) {
  SourceFiles files;
  const FileId file = files.Add("x.yml", text);
  Diagnostics diagnostics;
  ReadYaml(file, text, rules, diagnostics);
  if (diagnostics.All().empty()) return "none";
  const Diagnostic& first = diagnostics.All().front();
  const LineColumn at = files.Locate(first.where);
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + first.code + " " + first.hint;
}

TEST_CASE("the usual mistakes: place and hint") {
  struct Row {
    std::string text;
    std::string_view place;  // "line:column code"
    std::string_view hint;   // a part of it
  };
  const Row rows[] = {
      {"title: Law: a view\n", "1:11 yaml.syntax", "put the whole text in quotes"},
      {"a:\n\tb: 1\n", "2:1 yaml.syntax", "spaces only"},
      {"a: 1\nb: \"open\nc: 2\n", "2:4 yaml.syntax", "close it"},
      {"a: 'it's'\n", "1:8 yaml.syntax", "quote"},
      {"a: 1\n b: 2\n", "2:3 yaml.syntax", "indentation"},
      {"a:\n  - b\n c: d\n", "3:2 yaml.syntax", "indentation"},
      {"a: 1\nb: 2\na: 3\n", "3:1 yaml.duplicate-key", "rename"},
      {"a: @x\n", "1:4 yaml.syntax", "quotes"},
      {"a: `x`\n", "1:4 yaml.syntax", "quotes"},
      {"a: * item\n", "1:4 yaml.syntax", "quotes"},
      {"a: - b\n", "1:4 yaml.syntax", "line of its own"},
      {"a: [b, c\nd: e\n", "2:2 yaml.syntax", "bracket"},
      {"a: \"\\q\"\n", "1:5 yaml.syntax", "backslash"},
      {"{a: 1, : 2}\n", "1:8 yaml.syntax", "null"},
      {"a: \xc3\xa9\xc3\xa9: b\n", "1:6 yaml.syntax", "quotes"},  // columns count code points
  };
  for (const Row& row : rows) {
    const std::string problem = FirstProblem(row.text, YamlRules::kJsYaml);
    CHECK_MESSAGE(problem.starts_with(row.place), row.text, problem);
    CHECK_MESSAGE(problem.find(row.hint) != std::string::npos, row.text, problem);
  }
}

TEST_CASE("a duplicate key names both places; PyYAML only warns") {
  for (const YamlRules rules : {YamlRules::kJsYaml, YamlRules::kPyYaml}) {
    Diagnostics diagnostics;
    ReadYaml(FileId{0}, "a: 1\nb: 2\n\"a\": 3\n", rules, diagnostics);
    REQUIRE(diagnostics.All().size() == 2);
    CHECK(diagnostics.All()[0].where == Span{FileId{0}, 10, 3});
    CHECK(diagnostics.All()[1].where == Span{FileId{0}, 0, 1});
    CHECK(diagnostics.HasErrors() == (rules == YamlRules::kJsYaml));
  }
}

TEST_CASE("several problems are reported at once") {
  Diagnostics diagnostics;
  ReadYaml(FileId{0}, "a: 1\na: 2\nb: *x\nc: !foo d\n", YamlRules::kJsYaml, diagnostics);
  CHECK(diagnostics.ErrorCount() == 3);
}

// The source text that a value's span covers.
std::string Covered(const std::string& text, const Value& value) {
  return text.substr(value.span.offset, value.span.length);
}

TEST_CASE("every value and key keeps its place in the original bytes") {
  // A byte order mark, two-byte characters, stand-ins, CRLF and a missing final line break must not shift
  // places.
  const std::string text =
      "\xef\xbb\xbf"
      "k\xc3\xa9y: \"\\ud83d\\ude00 \xe2\x80\xa8\"\r\nlist: [1, {b: 'x'}]\r\nblock: |\r\n  l1\r\n  "
      "l2\r\n\r\nend:\r\n  - z";
  Diagnostics diagnostics;
  const std::vector<Value> documents = ReadYaml(FileId{0}, text, YamlRules::kJsYaml, diagnostics);
  REQUIRE(documents.size() == 1);
  const Map& map = documents[0].AsMap();
  const Member& first = *map.FindMember("k\xc3\xa9y");
  CHECK(text.substr(first.key_span.offset, first.key_span.length) == "k\xc3\xa9y");
  CHECK(Covered(text, first.value) == "\"\\ud83d\\ude00 \xe2\x80\xa8\"");
  CHECK(Covered(text, *map.Find("list")) == "[1, {b: 'x'}]");
  CHECK(Covered(text, *map.Find("list")->AsList()[1].Find("b")) == "'x'");
  CHECK(Covered(text, *map.Find("block")) == "|\r\n  l1\r\n  l2");
  CHECK(Covered(text, *map.Find("end")) == "- z");
  CHECK(Covered(text, documents[0]) == text.substr(3));
}

TEST_CASE("places behind what is shown with more characters") {
  const std::string text = "k\xc3\xa9y: &a/\xc3\xa9 {b:}\n...\nc: *a\n";
  CHECK(FirstProblem(text, YamlRules::kJsYaml).starts_with("3:4 yaml.alias"));
  const std::string fine = "[{\xc3\xa9:}, &a/b [x], *a/b]";
  Diagnostics diagnostics;
  const std::vector<Value> documents = ReadYaml(FileId{0}, fine, YamlRules::kJsYaml, diagnostics);
  REQUIRE(documents.size() == 1);
  const List& list = documents[0].AsList();
  REQUIRE(list.size() == 3);
  CHECK(Covered(fine, list[0]) == "{\xc3\xa9:}");
  CHECK(Covered(fine, list[1]) == "&a/b [x]");
  CHECK(Covered(fine, list[2]) == "*a/b");
  const std::string unknown = "- *a/b\n";
  Diagnostics named;
  ReadYaml(FileId{0}, unknown, YamlRules::kJsYaml, named);
  REQUIRE(named.All().size() == 1);
  CHECK(named.All()[0].message.find("\"&a/b\"") != std::string::npos);
}

TEST_CASE("depth") {
  const std::size_t max = limits::kYamlDepthMax;
  CHECK(FirstProblem(std::string(max, '[') + std::string(max, ']'), YamlRules::kJsYaml) == "none");
  for (const std::string_view opening : {"[", "{a: ", "- ", "? "}) {
    std::string bomb;
    for (int i = 0; i < 100'000; ++i) bomb += opening;
    CHECK(FirstProblem(bomb, YamlRules::kJsYaml).find("yaml.") != std::string::npos);
    CHECK(FirstProblem(bomb, YamlRules::kPyYaml).find("yaml.") != std::string::npos);
  }
}

TEST_CASE("alias bombs") {
  std::string wide = "a0: &a0 [x]\n";
  std::string deep = wide;
  std::string heavy = "a0: &a0 " + std::string(100'000, 'x') + "\n";
  for (int i = 1; i < 200; ++i) {
    const std::string name = "a" + std::to_string(i);
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string start = name + ": &" + name + " [";
    wide += start + before + "," + before + "," + before + "]\n";
    deep += start + before + "]\n";
    heavy += name +
             ": [*a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0]\n";
  }
  CHECK(FirstProblem(wide, YamlRules::kJsYaml).find("yaml.limit") != std::string::npos);
  CHECK(FirstProblem(deep, YamlRules::kJsYaml).starts_with("100:12 yaml.limit"));
  CHECK(FirstProblem(heavy, YamlRules::kJsYaml).find("yaml.limit") != std::string::npos);
}

TEST_CASE("many documents and many keys stay quick") {
  std::string documents;
  for (std::size_t i = 0; i <= limits::kYamlDocumentsMax; ++i) documents += "---\n";
  CHECK(FirstProblem(documents, YamlRules::kPyYaml).find("yaml.limit") != std::string::npos);
  std::string keys;
  for (int i = 0; i < 50'000; ++i) keys += "key" + std::to_string(i) + ": 1\n";
  CHECK(FirstProblem(keys, YamlRules::kJsYaml) == "none");
  CHECK(FirstProblem(keys + "key77: 1\n", YamlRules::kJsYaml).starts_with("50001:1 yaml.duplicate-key"));
}

}  // namespace
}  // namespace assay
