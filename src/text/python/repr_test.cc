// Tests of repr(), str(), int(), strip() and fixed decimals, each row as Python 3.11 answers.
#include "text/python/repr.h"

#include <doctest/doctest.h>

#include <cmath>

namespace assay {

TEST_CASE("texts in Python's quotes") {
  const struct {
    std::string_view text, repr;
  } rows[] = {
      {"", "''"},
      {"it's", "\"it's\""},
      {"say \"x\"", "'say \"x\"'"},
      {"it's \"x\"", "'it\\'s \"x\"'"},
      {"a\\b\n\r\t\x07\x7f", "'a\\\\b\\n\\r\\t\\x07\\x7f'"},
      {"\xc3\xa9\xc2\xa0\xc2\xad", "'\xc3\xa9\\xa0\\xad'"},
      {"\xe2\x80\x8b\xe2\x80\xa8\xee\x80\x80", "'\\u200b\\u2028\\ue000'"},
      {"\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf", "'\xf0\x9f\x98\x80\\U0010ffff'"},
      {"\xf0\x91\xbc\x80", "'\\U00011f00'"},  // younger than Unicode 14
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(PythonReprText(row.text) == row.repr);
  }
}

TEST_CASE("values in Python's words") {
  Map map;
  map.Append("a", Value(std::int64_t{1}));
  map.Append("b", Value(List{Value(Null{}), Value(true), Value(1.0), Value("x")}));
  CHECK(PythonRepr(Value(map)) == "{'a': 1, 'b': [None, True, 1.0, 'x']}");
  CHECK(PythonStr(Value("it's")) == "it's");
  CHECK(PythonStr(Value(Date{1'704'153'600'000})) == "2024-01-02");
  CHECK(PythonStr(Value(Date{1'704'164'645'000})) == "2024-01-02 03:04:05");
  CHECK(PythonRepr(Value(Date{1'704'153'600'000})) == "datetime.date(2024, 1, 2)");
  CHECK(PythonRepr(Value(Date{1'704'164'645'000})) == "datetime.datetime(2024, 1, 2, 3, 4, 5)");
  CHECK(PythonRepr(Value(Binary{std::string("a\x00'", 3)})) == "b\"a\\x00'\"");
}

TEST_CASE("decimals round the exact binary value") {
  CHECK(PythonFixed(0.25, 1) == "0.2");
  CHECK(PythonFixed(0.35, 1) == "0.3");
  CHECK(PythonFixed(-0.04, 1) == "-0.0");
  CHECK(PythonFixed(1e22, 1) == "10000000000000000000000.0");
  CHECK(PythonFixed(2.5, 0) == "2");
  CHECK(PythonFixed(std::nan(""), 1) == "nan");
  CHECK(PythonFixed(-HUGE_VAL, 1) == "-inf");
}

TEST_CASE("whole numbers of what people write") {
  CHECK(PythonInt(Value("7")) == 7);
  CHECK(PythonInt(Value(" -1_000\n")) == -1000);
  CHECK(PythonInt(Value(2.9)) == 2);
  CHECK(PythonInt(Value(true)) == 1);
  for (const char* text : {"", "1.5", "_1", "1_", "1__0", "--1", "x", "99999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(PythonInt(Value(text)).has_value());
  }
  CHECK_FALSE(PythonInt(Value(std::nan(""))).has_value());
  CHECK_FALSE(PythonInt(Value(1e300)).has_value());
  CHECK_FALSE(PythonInt(Value(Null{})).has_value());
}

TEST_CASE("white space of every kind is stripped, and nothing else") {
  CHECK(PythonTrim("\xc2\xa0 a b\xe2\x80\x83\n\x1c\xc2\x85") == "a b");
  CHECK(PythonTrim(" \t\n") == "");
  CHECK(PythonTrim("\xe2\x80\x8bx\xe2\x80\x8b") == "\xe2\x80\x8bx\xe2\x80\x8b");
  CHECK(PythonTrim("\x85") == "\x85");
}

}  // namespace assay
