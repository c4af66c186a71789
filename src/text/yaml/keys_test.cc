// Tests of reading the top-level keys, whatever form the text has and however broken it is.
#include "text/yaml/keys.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

using Keys = std::vector<std::string>;

TEST_CASE("the keys at the top of a text") {
  struct Row {
    std::string text;
    Keys want;
  };
  const Row rows[] = {
      {"", {}},
      {"a: 1\nb:\n  c: 2\n'd': [{e: 1}]\n", {"a", "b", "d"}},
      {"{a: {b: 1}, \"c\": []}", {"a", "c"}},
      {"\xEF\xBB\xBF"
       "a: 1\n",
       {"a"}},
      {"# only\n---\n  a : 1\n  b: 2\n---\nc: 3\n", {"a", "b"}},
      {"? [x, {y: 1}]\n: 1\na: &n {b: 2}\nc: *n\n", {"a", "c"}},
      {"a: |\n  b: 1\n\n  c: 2\nd: 3\n", {"a", "d"}},
      {"- a: 1\n", {}},
      {"a", {}},
      {"a: 1\nb: [\nc: ]]\nd: 1\n", {"a", "b"}},
      {"a: \"\xff\"\n", {}},
      {"\t{", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(TopLevelKeys(row.text) == row.want);
  }
}

TEST_CASE("only the start of a long text is looked at, and deep ones end") {
  const std::string first = "a: 1\n";
  const std::string filler = "# \xc3\xa9\n";
  std::string text = first;
  while (text.size() < kSniffedBytesMax) text += filler;
  CHECK(TopLevelKeys(text + "b: 2\n") == Keys{"a"});
  CHECK(TopLevelKeys("a: " + std::string(20'000, '[')) == Keys{"a"});
}

}  // namespace
}  // namespace assay
