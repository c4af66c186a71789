// Tests of JavaScript regular expressions: flavour, units, limits.
#include "text/javascript/regex.h"

#include <doctest/doctest.h>

#include "base/limits.h"
#include "text/limits.h"

namespace assay {

namespace {

enum class Outcome { kMatch, kNoMatch, kInvalid, kLimit };

Outcome Try(std::string_view pattern, JsRegexFlags flags, std::string_view text) {
  const auto regex = JsRegex::Compile(pattern, flags);
  if (!regex) return regex.error().code == ErrorCode::kLimit ? Outcome::kLimit : Outcome::kInvalid;
  RegexSubject subject(text);
  const Result<bool> found = (*regex)->Search(subject);
  if (!found) return Outcome::kLimit;
  return *found ? Outcome::kMatch : Outcome::kNoMatch;
}

struct Row {
  std::string_view pattern;
  JsRegexFlags flags;
  std::string_view text;
  Outcome outcome;
};

constexpr JsRegexFlags kPlain = JsRegexFlags::kNone;
constexpr JsRegexFlags kI = JsRegexFlags::kIgnoreCase;
constexpr JsRegexFlags kU = JsRegexFlags::kUnicode;
constexpr JsRegexFlags kIU = JsRegexFlags::kIgnoreCaseUnicode;

}  // namespace

TEST_CASE("JavaScript's flavour without and with the u flag") {
  const Row rows[] = {
      {"b+", kPlain, "abbc", Outcome::kMatch},
      {"", kPlain, "", Outcome::kMatch},
      {"^b", kPlain, "ab", Outcome::kNoMatch},
      {"a$", kPlain, "a\n", Outcome::kNoMatch},
      {"^b", kPlain, "a\nb", Outcome::kNoMatch},
      {"a.b", kPlain,
       "a\xe2\x80\xa8"
       "b",
       Outcome::kNoMatch},
      {"^.$", kPlain, "\xf0\x9f\x98\x80", Outcome::kNoMatch},
      {"^..$", kPlain, "\xf0\x9f\x98\x80", Outcome::kMatch},
      {"^.$", kU, "\xf0\x9f\x98\x80", Outcome::kMatch},
      {"\xf0\x9f\x98\x80", kPlain, "x\xf0\x9f\x98\x80", Outcome::kMatch},
      {"[\xf0\x9f\x98\x80]", kPlain, "\xf0\x9f\x98\x81", Outcome::kMatch},
      {"\\p{L}", kPlain, "p{L}", Outcome::kMatch},
      {"\\p{L}", kU, "\xc3\xa9", Outcome::kMatch},
      {"(?<=\\$)\\d+", kPlain, "costs $42", Outcome::kMatch},
      {"(a)|\\1b", kPlain, "b", Outcome::kMatch},
      {"x{,2}", kPlain, "x{,2}", Outcome::kMatch},
      {"\\A", kPlain, "A", Outcome::kMatch},
      {"\xc3\xa9", kI, "\xc3\x89", Outcome::kMatch},
      {"\xcf\x83", kI, "\xcf\x82", Outcome::kMatch},
      {"k", kI, "\xe2\x84\xaa", Outcome::kNoMatch},
      {"k", kIU, "\xe2\x84\xaa", Outcome::kMatch},
      {std::string_view("a\0b", 3), kPlain, std::string_view("a\0b", 3), Outcome::kMatch},
      {std::string_view("[\0]", 3), kPlain, std::string_view("\0", 1), Outcome::kMatch},
      {"\xed\xa0\xbd", kPlain, "\xf0\x9f\x98\x80", Outcome::kMatch},
      {"\xed\xa0\xbd", kU, "\xf0\x9f\x98\x80", Outcome::kNoMatch},
      {"[$\\d--^]", kPlain, "A<K", Outcome::kNoMatch},  // once the range from "-" to "^"
      {"[$\\d--^]", kPlain, "-", Outcome::kMatch},
      {"[$\\d--^]", kPlain, "^", Outcome::kMatch},
      {"[\\d-a-z]", kPlain, "m", Outcome::kNoMatch},
      {"[\\d-a-z]", kPlain, "z", Outcome::kMatch},
      {"[\\d-a-c-e]", kPlain, "d", Outcome::kMatch},
      {"[\\w-\\s-z]", kPlain, "-", Outcome::kMatch},
      {"[a-\\d-z]", kPlain, "m", Outcome::kNoMatch},
      {"[a-\\d-9]", kPlain, "-", Outcome::kMatch},
      {"[^\\s-!-~]", kPlain, "B", Outcome::kMatch},
      {"[\\d-z-b]", kPlain, "z", Outcome::kMatch},
      {"[\\d-a-z-b]", kPlain, "", Outcome::kInvalid},
      {"[\\d-a]", kU, "", Outcome::kInvalid},
      {"[\\d-]", kU, "-", Outcome::kMatch},
      {"[(?i)]", kPlain, "?", Outcome::kMatch},
      {"\\(?i", kPlain, "i", Outcome::kMatch},
      {"(?i)a", kPlain, "a", Outcome::kInvalid},
      {"(?i:a)", kPlain, "a", Outcome::kInvalid},
      {"(?-i:a)", kPlain, "a", Outcome::kInvalid},
      {"(?<n>a)|(?<n>b)", kPlain, "a", Outcome::kInvalid},
      {"(", kPlain, "", Outcome::kInvalid},
      {"a**", kPlain, "", Outcome::kInvalid},
      {"\\u{110000}", kU, "", Outcome::kInvalid},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    CAPTURE(row.text);
    CHECK(Try(row.pattern, row.flags, row.text) == row.outcome);
  }
}

TEST_CASE("a hostile pattern ends with a limit") {
  const std::string many_a(5000, 'a');
  CHECK(Try("(a+)+$", kPlain, many_a + "b") == Outcome::kLimit);
  CHECK(Try("(?:(?=(a+))a*)*$", kPlain, many_a + "b") == Outcome::kLimit);
  CHECK(Try("(.|x)*\\1y", kPlain, std::string(limits::kReplyBytesMax, 'a')) == Outcome::kLimit);
  CHECK(Try(std::string(limits::kRegexBytesMax + 1, 'a'), kPlain, "") == Outcome::kLimit);
  CHECK(Try(std::string(30'000, '('), kPlain, "") == Outcome::kInvalid);
  std::string classes;
  while (classes.size() < limits::kRegexBytesMax - 4) classes += "[^a]";
  CHECK(Try(classes, kIU, "") != Outcome::kMatch);
}

TEST_CASE("errors carry a reason") {
  const auto regex = JsRegex::Compile("a(", kPlain);
  REQUIRE(!regex);
  CHECK(regex.error().code == ErrorCode::kInvalidInput);
  CHECK(regex.error().message.starts_with("this is not a JavaScript regular expression: "));
  CHECK(regex.error().message.size() > 50);
}

TEST_CASE("ASCII texts, searched by first characters, give what the plain search gives") {
  constexpr std::string_view kPatterns[] = {
      "abc",           "[a-c]x",  "(b|cd)e?",  "\\bfox\\b",  "a*b",       "a{2,3}c",
      "(a{0,2}){2}d",  "(?=o)o+", "(?<=q)u",   "(?!a)[ab]c", "(a|b|)cd",  "x?y?z",
      "(?:a|(b))\\1c", "[\\s]ju", "\\s\\w",    "\\d{2}",     "(?<!l)azy", "\\u0041|B1",
      "[k-m]{2}",      "K",       "(z|\\Bo)w", "()a",        "(a?)*q",    "((a|b){2}){2}"};
  constexpr std::string_view kTexts[] = {"",
                                         "a",
                                         "The quick brown fox jumps over the lazy dog",
                                         "aaab",
                                         "aac aad",
                                         "bbc cde ABC B1 12",
                                         "abababcdd",
                                         "kK kelvin xyz zz"};
  for (const std::string_view pattern : kPatterns) {
    for (const std::string_view text : kTexts) {
      for (const JsRegexFlags flags : {kPlain, kI, kU, kIU}) {
        CAPTURE(pattern);
        CAPTURE(text);
        CAPTURE(static_cast<unsigned>(flags));
        // A character that none of the patterns takes makes the text one of wide units.
        CHECK(Try(pattern, flags, text) == Try(pattern, flags, std::string(text) + "\xE4\xB8\x80"));
      }
    }
  }
}

TEST_CASE("all matches, one behind the other, in bytes of the text") {
  const auto places = [](std::string_view pattern, std::string_view text) {
    RegexSubject subject(text);
    const auto regex = JsRegex::Compile(pattern, JsRegexFlags::kNone);
    REQUIRE(regex.has_value());
    const Result<std::vector<TextRange>> found = (*regex)->FindAll(subject);
    REQUIRE(found.has_value());
    return *found;
  };
  using Places = std::vector<TextRange>;
  CHECK(places("a+", "aa b a") == Places{{0, 2}, {5, 6}});
  CHECK(places("a*", "ab") == Places{{0, 1}, {1, 1}, {2, 2}});
  CHECK(places("^a", "aa") == Places{{0, 1}});
  CHECK(places("b",
               "\xE4\xB8\x80"
               "b\xF0\x9F\x98\x80"
               "b") == Places{{3, 4}, {8, 9}});
  for (const TextRange& place : places("", "\xF0\x9F\x98\x80")) CHECK(place.to <= 4);
  // Bytes that are no UTF-8, and a pair whose halves came one by one.
  CHECK(places("a",
               "\xB9\xB9\xB9\xB9"
               "a") == Places{{4, 5}});
  CHECK(places("a|c",
               "\xED\xA0\xBD\xED\xB8\x80"
               "a\xE4\xB8\x80"
               "c") == Places{{6, 7}, {10, 11}});
}

}  // namespace assay
