// Tests of white space, words and letter case as JavaScript has them.
#include "text/javascript/text.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("case mapping: full, with final sigma, locale-independent") {
  struct Row {
    std::string_view text, lower, upper;
  };
  const Row rows[] = {
      {"", "", ""},
      {"Hello, World 42", "hello, world 42", "HELLO, WORLD 42"},
      {"\xc3\x89t\xc3\xa9", "\xc3\xa9t\xc3\xa9", "\xc3\x89T\xc3\x89"},
      {"\xc4\xb0", "i\xcc\x87", "\xc4\xb0"},  // dotted capital I
      {"stra\xc3\x9f"
       "e",
       "stra\xc3\x9f"
       "e",
       "STRASSE"},
      {"\xe1\xba\x9e", "\xc3\x9f", "\xe1\xba\x9e"},                  // capital sharp s
      {"\xce\x9f\xce\xa3", "\xce\xbf\xcf\x82", "\xce\x9f\xce\xa3"},  // final sigma
      {"\xce\xa3", "\xcf\x83", "\xce\xa3"},                          // alone: no final form
      {"\xce\x9f\xce\xa3\xce\x9f", "\xce\xbf\xcf\x83\xce\xbf", "\xce\x9f\xce\xa3\xce\x9f"},
      {"A.\xce\xa3. b", "a.\xcf\x82. b", "A.\xce\xa3. B"},  // a full stop is case-ignorable
      {"A\xce\xa3'b", "a\xcf\x83'b", "A\xce\xa3'B"},
      {"A\xed\xa0\xbd", "a\xed\xa0\xbd", "A\xed\xa0\xbd"},           // a lone surrogate stays
      {"\xf0\x90\x90\x80", "\xf0\x90\x90\xa8", "\xf0\x90\x90\x80"},  // Deseret
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(JsToLower(row.text) == row.lower);
    CHECK(JsToUpper(row.text) == row.upper);
  }
}

TEST_CASE("white space and words") {
  CHECK(IsJsSpace(0xfeff));
  CHECK(IsJsSpace(0xa0));
  CHECK(IsJsSpace(0x2028));
  CHECK(!IsJsSpace(0x85));
  CHECK(!IsJsSpace(0x200b));
  CHECK(!IsJsSpace(0x180e));
  CHECK(JsTrim("\t\xc2\xa0 a b\xe2\x80\xa8\xef\xbb\xbf") == "a b");
  CHECK(JsTrim(" \n ").empty());
  CHECK(JsTrim("\xc3\xa9") == "\xc3\xa9");
  CHECK(CountJsWords("") == 0);
  CHECK(CountJsWords("  one\xc2\xa0two\nthree ") == 3);
  CHECK(CountJsWords("a\xe2\x80\x8b"
                     "b") == 1);
}

}  // namespace assay
