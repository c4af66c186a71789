// Tests of YAML as PyYAML's dump() writes it; the expected texts were printed by PyYAML 6.0.3.
#include "text/yaml/python_yaml.h"

#include <doctest/doctest.h>

#include <cmath>

namespace assay {
namespace {

std::string Dump(Value value) {
  Map map;
  map.Append("k", std::move(value));
  return WritePythonYaml(map);
}

TEST_CASE("scalars: plain where they read back as themselves, else quoted") {
  struct Row {
    Value value;
    std::string_view want;
  };
  const Row rows[] = {
      {"a word", "k: a word\n"},
      {"", "k: ''\n"},
      {"yes", "k: 'yes'\n"},
      {"010", "k: '010'\n"},
      {"1e3", "k: 1e3\n"},
      {"1.0e+3", "k: '1.0e+3'\n"},
      {"2020-02-30", "k: '2020-02-30'\n"},
      {"=", "k: '='\n"},
      {"- item", "k: '- item'\n"},
      {"a: b", "k: 'a: b'\n"},
      {"a:b #c", "k: 'a:b #c'\n"},
      {"it's", "k: it's\n"},
      {"'quoted'", "k: '''quoted'''\n"},
      {"tab\there", "k: \"tab\\there\"\n"},
      {"\xC3\xA9\xF0\x9F\x98\x80", "k: \"\\xE9\\U0001F600\"\n"},
      {"line\nbreak", "k: 'line\n\n  break'\n"},
      {"space \nbreak", "k: \"space \\nbreak\"\n"},
      {3.0, "k: 3.0\n"},
      {std::int64_t{3}, "k: 3\n"},
      {1e-5, "k: 1.0e-05\n"},
      {1e16, "k: 1.0e+16\n"},
      {std::nan(""), "k: .nan\n"},
      {-INFINITY, "k: -.inf\n"},
      {true, "k: true\n"},
      {Null{}, "k: null\n"},
      {List{}, "k: []\n"},
      {Map{}, "k: {}\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.want);
    CHECK(Dump(row.value) == row.want);
  }
}

TEST_CASE("long texts are folded at spaces, behind the column where they got too long") {
  std::string words;
  for (int i = 0; i < 12; ++i) words += "wordsthat10 ";
  words += "end";
  CHECK(Dump(words) ==
        "k: wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10\n"
        "  wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10 end\n");
  CHECK(Dump("\t" + words) ==
        "k: \"\\twordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10\\\n"
        "  \\ wordsthat10 wordsthat10 wordsthat10 wordsthat10 wordsthat10 end\"\n");
}

TEST_CASE("collections: keys sorted, lists under their key, lists in lists on one line") {
  Map inner;
  inner.Append("b", List{Value("x"), Value(List{Value("y"), Value("z")})});
  inner.Append("a", std::int64_t{1});
  Map document;
  document.Append("z", List{Value(inner)});
  document.Append("B", Value(Map{}));
  CHECK(WritePythonYaml(document) == "B: {}\nz:\n- a: 1\n  b:\n  - x\n  - - y\n    - z\n");
  CHECK(WritePythonYaml({}) == "{}\n");
}

TEST_CASE("a key that is too long, or has no letters, stands behind a question mark") {
  Map document;
  document.Append(std::string(123, 'k'), std::int64_t{1});
  document.Append("", List{Value("v")});
  CHECK(WritePythonYaml(document) == "? ''\n: - v\n? " + std::string(123, 'k') + "\n: 1\n");
}

}  // namespace
}  // namespace assay
