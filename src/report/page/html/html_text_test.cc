// Tests that hostile text is shown in HTML and never interpreted.
#include "report/page/html/html_text.h"

#include <doctest/doctest.h>

#include "base/text/utf8.h"

#include <string>

namespace assay {
namespace {

TEST_CASE("text is escaped and hidden characters are shown") {
  struct Row {
    const char* text;
    const char* want;
  };
  const Row rows[] = {
      {"a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; \"d\""},
      {"</p><script>alert(1)</script>", "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;"},
      {"line\r\nline\ttab\n", "line\nline\ttab\n"},
      {"\x1b[2J", "<i class=h>U+001B</i>[2J"},
      {"a\rb", "a<i class=h>U+000D</i>b"},
      {"\xe2\x80\xae"
       "gpj",
       "<i class=h>U+202E</i>gpj"},  // right-to-left override
      {"\xe2\x81\xa6x\xe2\x81\xa9", "<i class=h>U+2066</i>x<i class=h>U+2069</i>"},
      {"\xf3\xa0\x81\x81", "<i class=h>U+E0041</i>"},  // a tag character
      {"\xff", "<i class=h>0xFF</i>"},
      {"\xed\xa0\x80", "<i class=h>U+D800</i>"},  // a lone surrogate
      {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
       "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb"},  // an emoji
      {"caf\xc3\xa9 \xd7\xa9\xd7\x9c", "caf\xc3\xa9 \xd7\xa9\xd7\x9c"},
  };
  for (const Row& row : rows) CHECK(HtmlText(row.text) == row.want);
  CHECK(HtmlText(std::string_view("\0", 1)) == "<i class=h>U+0000</i>");
}

TEST_CASE("attributes cannot be left") {
  CHECK(HtmlAttribute("\" onload=\"x") == "&quot; onload=&quot;x");
  CHECK(HtmlAttribute("\xe2\x80\xaex") == "[U+202E]x");
}

TEST_CASE("cut text ends between characters and within its limit") {
  std::string out;
  CHECK(AppendHtmlTextUpTo("abc", 3, out));
  CHECK(out == "abc");
  out.clear();
  CHECK_FALSE(AppendHtmlTextUpTo("a<<<<", 6, out));
  CHECK(out == "a&lt;");
  CHECK(CutToBytes("caf\xc3\xa9", 4) == "caf");
}

TEST_CASE("only plain web addresses become links") {
  const char* web[] = {"http://a.example", "https://a.example/x?y=1#z", "HTTPS://A.example"};
  const char* other[] = {"javascript:alert(1)",
                         "https://",
                         "http:///x",
                         "ftp://a",
                         "//a.example",
                         "https://a b",
                         "https://user@a.example",
                         "https://a.example/\"onclick=",
                         "data:text/html,x",
                         ""};
  for (const char* url : web) CHECK(IsWebAddress(url));
  for (const char* url : other) CHECK_FALSE(IsWebAddress(url));
  std::string html;
  AppendWebLink("javascript:alert(1)", "<b>", html);
  CHECK(html == "&lt;b&gt;");
}

}  // namespace
}  // namespace assay
