// Tests of decoding and checking UTF-8 and WTF-8, and of UTF-16.
#include "base/text/utf8.h"

#include <doctest/doctest.h>

#include <vector>

namespace assay {
namespace {

TEST_CASE("a text as code points, ill-formed bytes replaced") {
  CHECK(ToUtf32("").empty());
  CHECK(ToUtf32("a\xc3\xa9\xf0\x9f\x98\x80\xff") == U"a\u00e9\U0001f600\ufffd");
}

TEST_CASE("decoding one code point") {
  struct Row {
    std::string_view text;
    char32_t code_point;
    std::uint32_t size_bytes;
  };
  const Row rows[] = {
      {"", 0, 0},
      {"a", 'a', 1},
      {std::string_view("\0", 1), 0, 1},
      {"\xc3\xa9", 0xe9, 2},
      {"\xe2\x82\xac", 0x20ac, 3},
      {"\xf0\x9f\x98\x80", 0x1f600, 4},
      {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
      {"\xed\xa0\x80", 0xd800, 3},      // a lone surrogate is kept
      {"\xc0\xaf", 0xfffd, 1},          // overlong
      {"\xe0\x80\xaf", 0xfffd, 1},      // overlong
      {"\xf0\x80\x80\xaf", 0xfffd, 1},  // overlong
      {"\xf4\x90\x80\x80", 0xfffd, 1},  // above U+10FFFF
      {"\xff", 0xfffd, 1},
      {"\x80", 0xfffd, 1},
      {"\xe2\x82", 0xfffd, 1},  // cut short
      {"\xe2\x82x", 0xfffd, 1},
  };
  for (const Row& row : rows) {
    const DecodedCodePoint got = DecodeUtf8(row.text, 0);
    CHECK(got.code_point == row.code_point);
    CHECK(got.size_bytes == row.size_bytes);
  }
}

TEST_CASE("every code point survives encoding and decoding") {
  for (char32_t c = 0; c <= 0x10ffff; c += 7) {
    std::string text;
    AppendUtf8(c, text);
    const DecodedCodePoint got = DecodeUtf8(text, 0);
    REQUIRE(got.code_point == c);
    REQUIRE(got.size_bytes == text.size());
  }
}

TEST_CASE("the first ill-formed byte") {
  constexpr std::size_t kNone = std::string_view::npos;
  CHECK(FindInvalidUtf8("") == kNone);
  CHECK(FindInvalidUtf8("plain text, longer than a word of eight") == kNone);
  CHECK(FindInvalidUtf8("déjà vu, 日本語, 😀") == kNone);
  CHECK(FindInvalidUtf8("12345678\xff") == 8);
  CHECK(FindInvalidUtf8("é\xc3") == 2);
  CHECK(FindInvalidUtf8("ab\xed\xa0\x80") == 2);
  CHECK(IsAscii("0123456789"));
  CHECK_FALSE(IsAscii("01234567é"));
}

TEST_CASE("counting") {
  CHECK(CountCodePoints("aé日😀") == 4);
  CHECK(CountUtf16("aé日😀") == 5);
  CHECK(CountCodePoints("\xff\xfe") == 2);
}

TEST_CASE("UTF-16 and back") {
  CHECK(ToUtf16("a😀") == u"a\xd83d\xde00");
  CHECK(ToUtf8(u"a\xd83d\xde00") == "a😀");
  // A high surrogate alone, a low one alone, and both in the wrong order.
  for (const std::string_view text :
       {"\xed\xa0\xbdx", "\xed\xb8\x80", "\xed\xb8\x80\xed\xa0\xbd", "日本語 😀", ""}) {
    CHECK(ToUtf8(ToUtf16(text)) == text);
  }
}

TEST_CASE("the order by UTF-16 code units") {
  struct Row {
    std::string_view less;
    std::string_view greater;
  };
  const Row rows[] = {
      {"", "a"},
      {"a", "ab"},
      {"a", "b"},
      {"Z", "a"},
      {"z", "é"},
      {"\xf0\x9f\x98\x80", "\xef\xbf\xbd"},  // U+1F600 before U+FFFD
      {"é", "ê"},
      {"日a", "日b"},
      {"\xed\xa0\xbd", "\xf0\x9f\x98\x80"},  // D83D alone before D83D DE00
      {"😀", "\xed\xa0\xbe"},
      {"\xed\x9f\xbf", "\xf0\x90\x80\x80"},
  };
  for (const Row& row : rows) {
    CHECK(CompareUtf16(row.less, row.greater) < 0);
    CHECK(CompareUtf16(row.greater, row.less) > 0);
    CHECK(CompareUtf16(row.less, row.less) == 0);
  }
}

}  // namespace
}  // namespace assay
