// The Markdown subset, and what it refuses.
#include "report/page/markdown.h"

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
  };
  for (const Row& row : rows) CHECK(Render(row.text) == row.want);
}

TEST_CASE("nothing is fetched and no markup passes") {
  CHECK(Render("<img src=x onerror=alert(1)>") == "<p>&lt;img src=x onerror=alert(1)&gt;</p>");
  CHECK(Render("![chart](https://a.example/x.png)") == "<p><span class=image>chart</span></p>");
  CHECK(Render("[x](javascript:alert(1))") == "<p>x)</p>");
  CHECK(Render("[x](https://a.example/\" onclick=\"y)") == "<p>x</p>");
}

TEST_CASE("text without partners for its marks costs linear time") {
  for (const char* mark : {"[", "*", "_ _", "`a", "**a ", "[a](", "h", "http://", "> ", "\\"}) {
    std::string text;
    while (text.size() < 400'000) text += mark;
    CHECK(Render(text).size() >= 1);
  }
}

}  // namespace
}  // namespace assay
