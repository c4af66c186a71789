// Tests of chunks beyond the golden rows: places in the original text, characters of several bytes,
// degenerate sizes.
#include <doctest/doctest.h>

#include <string>

#include "corpus/index/chunk.h"
#include "corpus/index/words.h"

namespace assay {
namespace {

std::vector<std::string> Shown(std::string_view text, const std::vector<ChunkSpan>& spans) {
  std::vector<std::string> shown;
  for (const ChunkSpan& span : spans) shown.push_back(ChunkText(text, span));
  return shown;
}

TEST_CASE("chunks know where they stand in the text as it is") {
  const std::string text = "  One  two.\n\nThree\tfour!   Five.";
  const std::vector<ChunkSpan> spans = ChunkBySentences(text, {.size = 3, .overlap = 0});
  CHECK(Shown(text, spans) == std::vector<std::string>{"One two.", "Three four!", "Five."});
  CHECK(text.substr(spans[0].begin, spans[0].end - spans[0].begin) == "One  two.");
  CHECK(text.substr(spans[2].begin, spans[2].end - spans[2].begin) == "Five.");
}

TEST_CASE("a sentence that is too long is cut into windows, and the last repeats the overlap") {
  const std::string text = "a b c d e f g h. x.";
  CHECK(Shown(text, ChunkBySentences(text, {.size = 4, .overlap = 2})) ==
        std::vector<std::string>{"a b c d", "c d e f", "e f g h", "g h .", "h .", "x."});
}

TEST_CASE("characters are code points, and no chunk cuts one") {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "\xc3\xa9";
  const std::vector<ChunkSpan> spans = ChunkByCharacters(text, {.size = 10, .overlap = 3});
  REQUIRE(spans.size() == 5);
  CHECK(spans[0].end == 20);
  CHECK(spans[1].begin == 14);
  CHECK(spans.back().end == text.size());
}

TEST_CASE("a short text is one chunk, an empty one none, and odd sizes end") {
  CHECK(ChunkByCharacters("short text", {}).size() == 1);
  CHECK(ChunkByCharacters(" \n ", {}).empty());
  CHECK(ChunkBySentences("", {}).empty());
  CHECK(ChunkBySentences("One. Two. Three.", {.size = 0, .overlap = 99}).size() >= 3);
  CHECK(ChunkByCharacters("One. Two. Three.", {.size = 1, .overlap = 5}).size() >= 3);
}

TEST_CASE("a chunk that ends early and is shorter than the overlap does not end the text") {
  const std::string text =
      "One twoo. Three four five six seven eight nine ten eleven twelve thirteen fourteen.";
  const std::vector<ChunkSpan> spans = ChunkByCharacters(text, {.size = 10, .overlap = 9});
  CHECK(spans.front().end == 9);
  CHECK(spans.back().end == text.size());
}

TEST_CASE("pieces for a summary keep paragraphs together, whatever stands between them") {
  CHECK(SplitForSummary("one\n \t\ntwo\r\n\r\nthree", {.target = 8, .overlap = 0}) ==
        std::vector<std::string>{"one\n\ntwo", "three"});
  CHECK(SplitForSummary("one\ntwo", {.target = 100, .overlap = 0}) == std::vector<std::string>{"one\ntwo"});
  CHECK(SplitForSummary("a paragraph beyond the target", {.target = 5, .overlap = 2}).size() == 1);
}

TEST_CASE("words of queries and of the index differ where letters are not ASCII's") {
  const auto all = [](auto words) {
    std::string joined;
    for (std::string_view word = words.Next(); !word.empty(); word = words.Next())
      joined.append(word).append("|");
    return joined;
  };
  CHECK(all(PlainWords("Caf\xc3\xa9 foo_bar 9")) == "caf|foo_bar|9|");
  CHECK(all(PlainWords("\xe2\x84\xaa"
                       "elvin \xc4\xb0stanbul")) == "kelvin|i|stanbul|");
  CHECK(all(IndexWords("Caf\xc3\xa9 foo_bar 9")) == "cafe|foo|bar|9|");
  CHECK(all(IndexWords("e\xcc\x81t\xc3\xa9 \xd0\x9c\xd0\x98\xd0\xa0")) == "ete|\xd0\xbc\xd0\xb8\xd1\x80|");
  CHECK(all(IndexWords("\xf0\x9f\x98\x80 x\xe2\x80\x94y")) == "x|y|");
}

TEST_CASE("white space is collapsed and trimmed by Python's rule") {
  CHECK(CollapseBlanks("\xc2\xa0 a\x1c\n b\xe3\x80\x80") == "a b");
  CHECK(TrimBlanks("\xe2\x80\x83x y\x85\xc2\x85") == "x y\x85");
}

}  // namespace
}  // namespace assay
