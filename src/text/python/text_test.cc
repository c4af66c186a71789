// Tests of Python's lower(), strip(), universal newlines, float() and repr().
#include "text/python/text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace assay {
namespace {

TEST_CASE("str.lower()") {
  const struct {
    std::string_view text, want;
  } rows[] = {
      {"", ""},
      {"Hello, World_9", "hello, world_9"},
      {"\xc3\x80\xc3\x89", "\xc3\xa0\xc3\xa9"},
      {"\xc4\xb0stanbul", "i\xcc\x87stanbul"},  // I with dot above: two code points
      {"\xce\xa3\xce\x9f\xce\xa3 \xce\xa3",
       "\xcf\x83\xce\xbf\xcf\x82 \xcf\x83"},  // final sigma, and one alone
      {"STRA\xc3\x9f"
       "E",
       "stra\xc3\x9f"
       "e"},
      {"\xe2\x84\xaa", "k"},  // the Kelvin sign
      {"\xf0\x90\x90\x80", "\xf0\x90\x90\xa8"},
      {"\xe4\xb8\xad"
       "A",
       "\xe4\xb8\xad"
       "a"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(PythonLower(row.text) == row.want);
  }
  const std::string long_text = std::string(1000, 'A') + "\xc4\xb0";
  CHECK(PythonLower(long_text) == std::string(1000, 'a') + "i\xcc\x87");
  std::string dots;
  for (int i = 0; i < 1000; ++i) dots += "\xc4\xb0";
  CHECK(PythonLower(dots).size() == 3000);
}

TEST_CASE("str.strip(characters) works on code points") {
  const struct {
    std::string_view text, characters, want;
  } rows[] = {
      {" 'x y'` ", " '\"`", "x y"},
      {"\xc2\xb7x\xc2\xb7", "\xc2\xb7", "x"},
      {"\xc3\xb7x", "\xc2\xb7", "\xc3\xb7x"},  // shares a byte, not a code point
      {"xx", "x", ""},
      {"ab", "", "ab"},
      {"", "a", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(PythonStrip(row.text, row.characters) == row.want);
  }
}

TEST_CASE("universal newlines") {
  CHECK(UniversalNewlines("a\r\nb\rc\n\r\n\r") == "a\nb\nc\n\n\n");
  CHECK(UniversalNewlines("") == "");
}

TEST_CASE("repr(float)") {
  const struct {
    double number;
    std::string_view want;
  } rows[] = {{0, "0.0"},
              {-0.0, "-0.0"},
              {135, "135.0"},
              {0.1, "0.1"},
              {2.0 / 3, "0.6666666666666666"},
              {1e-4, "0.0001"},
              {1e-5, "1e-05"},
              {1.5e-7, "1.5e-07"},
              {1e15, "1000000000000000.0"},
              {123456789012345680.0, "1.2345678901234568e+17"},
              {1e16, "1e+16"},
              {9999999999999998.0, "9999999999999998.0"},
              {1e22, "1e+22"},
              {5e-324, "5e-324"},
              {1.7976931348623157e308, "1.7976931348623157e+308"},
              {std::numeric_limits<double>::infinity(), "inf"},
              {-std::numeric_limits<double>::infinity(), "-inf"},
              {std::numeric_limits<double>::quiet_NaN(), "nan"}};
  for (const auto& row : rows) CHECK(PythonFloatText(row.number) == row.want);
}

TEST_CASE("float(text)") {
  const struct {
    std::string_view text;
    double want;
  } rows[] = {{"1", 1},
              {" 1.5\n", 1.5},
              {"-2e3", -2000},
              {"+.5", 0.5},
              {"5.", 5},
              {"1_000.5", 1000.5},
              {"1E2", 100},
              {"-0", -0.0},
              {"1e400", HUGE_VAL},
              {"-1e-400", -0.0},
              {"Infinity", HUGE_VAL},
              {"-inf", -HUGE_VAL}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const std::optional<double> number = ParsePythonFloat(row.text);
    REQUIRE(number.has_value());
    CHECK(*number == row.want);
    CHECK(std::signbit(*number) == std::signbit(row.want));
  }
  CHECK(std::isnan(ParsePythonFloat("NaN").value_or(0)));
  for (const char* text :
       {"", " ", "a", "1 2", "_1", "1_", "1__0", "0x10", "1e", "--1", "+-1", "1,5", ".", "e5"}) {
    CAPTURE(text);
    CHECK_FALSE(ParsePythonFloat(text).has_value());
  }
}

TEST_CASE("float() and bool() of values") {
  CHECK(PythonFloat(true) == 1.0);
  CHECK(PythonFloat(std::int64_t{3}) == 3.0);
  CHECK(PythonFloat("0.5") == 0.5);
  CHECK_FALSE(PythonFloat(Null{}).has_value());
  CHECK_FALSE(PythonFloat(List{}).has_value());
  CHECK(PythonTruth("false"));
  CHECK(PythonTruth(std::numeric_limits<double>::quiet_NaN()));
  CHECK(PythonTruth(List{0}));
  for (const Value& empty :
       {Value(), Value(Null{}), Value(false), Value(0), Value(""), Value(List{}), Value(Map())}) {
    CHECK_FALSE(PythonTruth(empty));
  }
}

}  // namespace
}  // namespace assay
