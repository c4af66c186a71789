// Tests of Markdown on pages, and of what it refuses.
#include "report/page/html/markdown.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {
namespace {

std::string Render(std::string_view text) {
  std::string html;
  AppendMarkdown(text, html);
  return html;
}

constexpr const char* kLink = "<a href=\"https://a.example/\" rel=\"noopener noreferrer\" target=_blank>";

TEST_CASE("blocks and marks") {
  struct Row {
    const char* text;
    std::string want;
  };
  const Row rows[] = {
      {"one\ntwo\n\nthree", "<p>one\ntwo</p><p>three</p>"},
      {"# Title\ntext", "<h4>Title</h4><p>text</p>"},
      {"- a\n- b\n  more\n\n1. c", "<ul><li>a</li><li>b\nmore</li></ul><ol><li>c</li></ol>"},
      {"> quoted\n> text", "<blockquote><p>quoted\ntext</p></blockquote>"},
      {"```js\n<x>\n```\nafter", "<pre><code>&lt;x&gt;\n</code></pre><p>after</p>"},
      {"---", "<hr>"},
      {"**bold** and *soft* and `a*b*c`",
       "<p><strong>bold</strong> and <em>soft</em> and <code>a*b*c</code></p>"},
      {"snake_case_name and _soft_", "<p>snake_case_name and <em>soft</em></p>"},
      {"2 * 3 * 4 \\*x\\*", "<p>2 * 3 * 4 *x*</p>"},
      {"[here](https://a.example/)", std::string("<p>") + kLink + "here</a></p>"},
      {"see https://a.example/.", std::string("<p>see ") + kLink + "https://a.example/</a>.</p>"},
      {"**open", "<p>**open</p>"},
      {"1. a\n   - b\n     - c", "<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ol>"},
      {"7. seven\n8. eight", "<ol start=7><li>seven</li><li>eight</li></ol>"},
      {"- [x] done\n- [ ] open", "<ul><li>☑ done</li><li>☐ open</li></ul>"},
      {"| a | b |\n|---|---|\n| 1 | *2* |",
       "<div class=scroll><table class=side><thead><tr><th scope=col>a</th><th scope=col>b</th></tr></thead>"
       "<tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table></div>"},
      {"~~no~~ yes  \nnext", "<p><del>no</del> yes<br>next</p>"},
      {"    indented", "<p>indented</p>"},
      {"[a *b*][1]\n\n[1]: https://a.example/", std::string("<p>") + kLink + "a <em>b</em></a></p>"},
      {"AT&amp;T &lt;b&gt; &#65;", "<p>AT&amp;T &lt;b&gt; A</p>"},
  };
  for (const Row& row : rows) CHECK(Render(row.text) == row.want);
}

TEST_CASE("nothing is fetched and no markup passes") {
  CHECK(Render("<img src=x onerror=alert(1)>") == "<p>&lt;img src=x onerror=alert(1)&gt;</p>");
  CHECK(Render("![chart](https://a.example/x.png)") == "<p><span class=image>chart</span></p>");
  CHECK(Render("<script>alert(1)</script>\n") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
  CHECK(Render("![](https://a.example/x.png)") == "<p><span class=image>image</span></p>");
  for (const char* url :
       {"javascript:alert(1)", "java&#115;cript:alert(1)", "data:text/html,x", "//a.example/",
        "https://user@a.example/", "ftp://a.example/", "/etc/passwd", "https://\\a.example/",
        "mailto:a@b.example", "&#104;ttps://a.example/&quot;onclick=x"}) {
    CAPTURE(url);
    CHECK(Render(std::string("[x](") + url + ")") == "<p>x</p>");
  }
  CHECK(Render("<javascript:alert(1)>") == "<p>javascript:alert(1)</p>");
  CHECK(Render("[x](https://a.example/\" onclick=\"y)") == "<p>[x](https://a.example/\" onclick=\"y)</p>");
  CHECK(Render("a&#x202E;b&lrm;c") == "<p>a<i class=h>U+202E</i>b&amp;lrm;c</p>");
  CHECK(Render("&#0; &#xD800; &#x110000;") == "<p>&amp;#0; &amp;#xD800; &amp;#x110000;</p>");
}

TEST_CASE("what is too long, too deep or grows too much is shown as it was written") {
  const auto repeated = [](std::string_view mark, std::size_t size) {
    std::string text;
    while (text.size() + mark.size() <= size) text += mark;
    return text;
  };
  const std::string fits = repeated("*a* ", kMarkdownBytesMax);
  CHECK(Render(fits).starts_with("<p><em>a</em> "));
  CHECK(Render(fits + "*b*").starts_with("<p class=t>*a* "));
  CHECK(Render(repeated("> ", 2 * kMarkdownDepthMax - 4) + "x").starts_with("<blockquote>"));
  CHECK(Render(repeated("> ", 2 * kMarkdownDepthMax) + "x").starts_with("<p class=t>&gt; "));
  const std::string definition = "[a]: https://a.example/" + std::string(20'000, 'x') + "\n\n";
  CHECK(Render(definition + "[a]").starts_with("<p><a href"));
  CHECK(Render(definition + repeated("[a] ", 10'000)).starts_with("<p class=t>[a]: https"));
}

TEST_CASE("marks without partners end, and grow within bounds") {
  for (const char* mark :
       {"[",  "](",   "*",          "_ _",      "`a",    "a`b``c```", "**a ",  "[a](",    "![a](",
        "<a", "<!--", "h",          "http://",  "> ",    "- ",        "1. ",   "  - a\n", "\\",
        "&",  "~~a ", "|a|\n|-|\n", "[a]: b\n", "[a]\n", "[a]: <b\n", "```\n", "\xff",    "\xe2\x80"}) {
    CAPTURE(mark);
    std::string text;
    while (text.size() < kMarkdownBytesMax - 16) text += mark;
    CHECK(Render(text).size() <= 24 * text.size());
  }
}

}  // namespace
}  // namespace assay
