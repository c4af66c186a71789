// Tests that an escape is read as what it stands for, however deep, and that long texts take linear time.
#include "text/letters/escapes.h"

#include <doctest/doctest.h>

#include "tests/support/slowness.h"

namespace assay {
namespace {

TEST_CASE("an escape is read as the character that it stands for") {
  struct Row {
    const char* written;
    const char* read;
  };
  const Row rows[] = {{"plain text", "plain text"},
                      {"&#69;&#x45;&#X45&Eacute;", "EEEÉ"},
                      {"&lt;a&gt; &LT;a&GT; &lta&gt", "<a> <a> <a>"},
                      {"&amp;amp;lt;", "<"},
                      {"&#38;#x26;lt;", "<"},
                      {"%253C", "<"},
                      {"\\u0045\\x45%45=45\\105\\u{45}\\x{0045}U+0045\\U00000045", "EEEEEEEEE"},
                      {"%E2%80%8B=D0=95\\xd0\\x95", "\u200bЕЕ"},
                      {"\\xad", "\u00ad"},
                      {"\\u{1d402}", "𝐂"},
                      {"a%0Ab\\nb\\u000db", "a\nb\nb\rb"},
                      {"a%00b=09b", "a b b"},
                      // What may be a part of an escape or not is followed by a blank.
                      {"&Cscr;x&NegativeThickerSpace;", "&C s cr;x "},
                      {"\\vC ^M", "\\v C ^M "},
                      {"\\x1b[0mC \x1b(BC [0mC", "\x1b[ 0 m C \x1b( B C [0 m C"},
                      {"=ACT %AC", "=A C T %A C "},
                      {"cl&zwnjass &lrmx &EacuteX &ZeroWidthSpacex", "cl\u200cass \u200ex ÉX \u200bx"},
                      {"cl&fooX;&barY z", "cl&f o oX;&b a r Y  z"},
                      {"\\000043\\'43^^43\\char67\\char\"43\\o{103}\\u67?\\symbol{67}_x0043_", "CCCCCCCCC"},
                      {"\\uu0043\\uuuu0043 \\uuid \\u{43 44,45}\\x{ 43 }\\u{ }", "CC \\u uid CDEC\\u { }"},
                      {"a=b & c; 50 % [a] &", "a=b & c; 50 % [a] &"},
                      {"\\0a %s \u009bmC %u200b", "\\0 a %s  \x1bm C \u200b"},
                      {"&#;&#99999999999;\\u{}\\", "&#;&#99999999999;\\u {}\\"}};
  for (const Row& row : rows) {
    CAPTURE(row.written);
    CHECK(WithoutEscapes(row.written) == row.read);
  }
}

TEST_CASE("an escape without an end is read in every way that its digits and letters allow") {
  const auto every = [](std::string_view text) { return WithoutEscapes(text, EscapeReading::kEvery); };
  CHECK(every("plain &#69;\\u0045%45") == "plain EEE");
  CHECK(every("&#x45ACT").find(" E A ") != std::string::npos);
  CHECK(every("&#x200Bassi").find(" B \u200b a ") != std::string::npos);
  CHECK(every("\\43 \\63lass").starts_with("C "));
  CHECK(every("\\45ACT").find(" E A ") != std::string::npos);
  CHECK(every("CLASS_&PARTIAL").find(" P A R T ") != std::string::npos);
}

TEST_CASE("escapes of escapes are resolved to their end") {
  std::string percent = "43";
  std::string digits = "3";
  for (int i = 0; i < 200; ++i) {
    percent.insert(0, "25");
    digits.insert(0, "%3");
  }
  CHECK(WithoutEscapes("%" + percent) == "C");
  CHECK(WithoutEscapes("%4" + digits) == "C");
  CHECK(WithoutEscapes("&" + std::string(percent.size(), 'x')) != "C");
  std::string entity = "&lt;";
  for (int i = 0; i < 200; ++i) entity.insert(1, "amp;");
  CHECK(WithoutEscapes(entity) == "<");
}

TEST_CASE("tags, comments and what stands between brackets become short") {
  const std::string hidden(100, 'x');
  CHECK(WithShortMarkup("a<b title='>" + hidden + "'>c") == "a<>c");
  CHECK(WithShortMarkup("a<!-- > " + hidden + "-->c<wbr>d") == "a<>c<>d");
  CHECK(WithShortMarkup("a/* " + hidden + " */c") == "a<>c");
  CHECK(WithShortMarkup("</a/* " + hidden + " */c><br/>") == "</a<>c><>");
  CHECK(WithShortMarkup("a{{" + hidden + "}}c") == "a{{}}c");
  CHECK(WithShortMarkup("a[](" + hidden + ")c") == "a[]()c");
  CHECK(WithShortMarkup("(a(" + hidden + ")c)") == "(a()c)");
  for (const std::string& same : {std::string("1 < 2 and 3 > 2"), "<" + hidden, "<!-- " + hidden,
                                  "(" + hidden + "]", std::string(")(")})
    CHECK(WithShortMarkup(same) == same);
}

TEST_CASE("texts full of escapes and tags are read in time") {
  for (const std::string_view piece : {"&amp;", "&", "<", "<!--", "<a", "%25", "=", "\\", "\x1b[", "[0;",
                                       "&#0", "U+", "\\5c5c5c", "&#x26", "\\63", "<a b='", "(", "/*", "%3"}) {
    std::string text;
    while (text.size() < testing::Sized(300'000)) text += piece;
    CAPTURE(piece);
    CHECK(WithoutEscapes(text).size() <= 3 * text.size());
    CHECK(WithoutEscapes(text, EscapeReading::kEvery).size() <= 9 * text.size());
    CHECK(WithShortMarkup(text).size() <= text.size());
  }
}

}  // namespace
}  // namespace assay
