// Tests of Markdown as a tree, and of what it refuses.
#include "report/values/words/markdown_tree.h"

#include <doctest/doctest.h>

#include <string>

#include "text/json/json.h"

namespace assay {

namespace {

std::string Tree(std::string_view text) { return WriteJson(MarkdownTree(text), JsonStyle::kJavaScript); }

std::string Repeated(std::string_view mark, std::size_t size) {
  std::string text;
  while (text.size() + mark.size() <= size) text += mark;
  return text;
}

}  // namespace

TEST_CASE("Markdown becomes names, attributes and texts") {
  struct Row {
    const char* text;
    std::string_view want;
  };
  const Row rows[] = {
      {"one\ntwo\n\nthree", R"([["p","one\ntwo"],["p","three"]])"},
      {"# Title\ntext", R"([["h1","Title"],["p","text"]])"},
      {"- a\n- b\n  more\n\n1. c", R"([["ul",["li","a"],["li","b\nmore"]],["ol",["li","c"]]])"},
      {"> quoted\n> text", R"([["blockquote",["p","quoted\ntext"]]])"},
      {"```js\n<x>\n```\nafter", R"([["pre",{"lang":"js"},"<x>\n"],["p","after"]])"},
      {"---", R"([["hr"]])"},
      {"**bold** and `a*b*c`", R"([["p",["strong","bold"]," and ",["code","a*b*c"]]])"},
      {"7. seven\n8. eight", R"([["ol",{"start":7},["li","seven"],["li","eight"]]])"},
      {"- [x] done\n- [ ] open", R"([["ul",["li",{"done":true},"done"],["li",{"done":false},"open"]]])"},
      {"| a | b |\n|:-:|---|\n| 1 | *2* |",
       R"([["table",["thead",["tr",["th",{"align":"center"},"a"],["th","b"]]],)"
       R"(["tbody",["tr",["td",{"align":"center"},"1"],["td",["em","2"]]]]]])"},
      {"~~no~~ yes  \nnext", R"([["p",["del","no"]," yes",["br"],"next"]])"},
      {"[a *b*][1]\n\n[1]: https://a.example/",
       R"([["p",["a",{"href":"https://a.example/"},"a ",["em","b"]]]])"},
      {"AT&amp;T &lt;b&gt; &#65;", R"([["p","AT&T <b> A"]])"},
      {"**", R"([["p","**"]])"},
      {"", "[]"},
  };
  for (const Row& row : rows) CHECK(Tree(row.text) == row.want);
}

TEST_CASE("each text of the tree says where in the source it is from") {
  struct Row {
    std::string_view text;
    std::string_view want;
  };
  const Row rows[] = {
      {"**bold** and `code`", "[[4,2],[5,8],[4,14]]"},
      {"one\ntwo", "[[7,0]]"},
      {"- a\n- b\n  more", "[[1,2],[2,6,4,10]]"},
      {"AT&amp;T", "[[3,0,1,7]]"},
      {"a\\*b", "[[1,0,2,2]]"},
      {"| a | b |\n|---|---|\n| 1 | 2 |", "[[1,2],[1,6],[1,22],[1,26]]"},
      {"``` js\n  x\n\ny\n```", "[[2,0,5,9]]"},
      {"[word](https://a.example/)", "[[4,1]]"},
      {"", "[]"},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(WriteJson(PlaceMarkdown(row.text).places, JsonStyle::kJavaScript) == row.want);
  }
  CHECK(PlaceMarkdown(std::string(kMarkdownTreeBytesMax + 1, 'x')).places.is_null());
}

TEST_CASE("markup and pictures stay words") {
  CHECK(Tree("<img src=x onerror=alert(1)>") == R"([["p","<img src=x onerror=alert(1)>"]])");
  CHECK(Tree("<script>alert(1)</script>\n") == R"([["p","<script>alert(1)</script>"]])");
  CHECK(Tree("![chart](https://a.example/x.png)") ==
        R"([["p",["img",{"src":"https://a.example/x.png"},"chart"]]])");
  CHECK(Tree("[x](javascript:alert(1))") == R"x([["p",["a",{"href":"javascript:alert(1)"},"x"]]])x");
  CHECK(Tree("a&lrm;c &#xD800;") == R"([["p","a&lrm;c &#xD800;"]])");
}

TEST_CASE("what is too long, too deep or grows too much is no tree") {
  const std::string fits = Repeated("*a* ", kMarkdownTreeBytesMax);
  CHECK(Tree(fits).starts_with(R"([["p",["em","a"]," ")"));
  CHECK(Tree(fits + "*b*") == "null");
  CHECK(Tree(Repeated("> ", 40) + "x").starts_with(R"([["blockquote")"));
  CHECK(Tree(Repeated("> ", 80) + "x") == "null");
  const std::string definition = "[a]: https://a.example/" + std::string(20'000, 'x') + "\n\n";
  CHECK(Tree(definition + "[a]").starts_with(R"([["p",["a")"));
  CHECK(Tree(definition + Repeated("[a] ", 10'000)) == "null");
}

TEST_CASE("marks without partners end, and grow within bounds") {
  for (const char* mark :
       {"[",  "](",   "*",          "_ _",      "`a",    "a`b``c```", "**a ",  "[a](",    "![a](",
        "<a", "<!--", "h",          "http://",  "> ",    "- ",        "1. ",   "  - a\n", "\\",
        "&",  "~~a ", "|a|\n|-|\n", "[a]: b\n", "[a]\n", "[a]: <b\n", "```\n", "\xff",    "\xe2\x80"}) {
    CAPTURE(mark);
    const std::string text = Repeated(mark, kMarkdownTreeBytesMax);
    CHECK(Tree(text).size() <= 24 * text.size());
  }
}

}  // namespace assay
