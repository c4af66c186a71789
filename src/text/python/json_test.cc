// Tests of JSON as json.loads reads it and json.dumps writes it.
#include "text/python/json.h"

#include <doctest/doctest.h>

namespace assay {

namespace {

std::string Again(std::string_view text, const PythonJsonStyle& style = {}) {
  const Result<Value> value = ParsePythonJson(text);
  if (!value) return value.error().message;
  const Result<std::string> written = WritePythonJson(*value, style);
  return written ? *written : written.error().message;
}

}  // namespace

TEST_CASE("what Python reads, it writes again") {
  const struct {
    std::string_view text, written;
  } rows[] = {
      {"[1, 1.0, -0, -0.0, 1e16, 1e-7, 0.1]", "[1, 1.0, 0, -0.0, 1e+16, 1e-07, 0.1]"},
      {"[9223372036854775807, -9223372036854775808]", "[9223372036854775807, -9223372036854775808]"},
      {"[NaN,Infinity,-Infinity,1e400]", "[NaN, Infinity, -Infinity, Infinity]"},
      {R"({"10": 1, "2": 2, "10": 3})", R"({"10": 3, "2": 2})"},
      {R"("\u00e9\ud83d\ude00\ud800\u2028\u007f")", "\"\\u00e9\\ud83d\\ude00\\ud800\\u2028\\u007f\""},
      {"[[], {}, null, true]", "[[], {}, null, true]"},
      {R"("a\"\\\/\b\f\n\r\t\u0001")", R"("a\"\\/\b\f\n\r\t\u0001")"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(Again(row.text) == row.written);
  }
}

TEST_CASE("the styles of json.dumps") {
  CHECK(Again(R"({"b": [1, {}], "a": {"c": []}})", {.indent = 2, .sorts_keys = true}) ==
        "{\n  \"a\": {\n    \"c\": []\n  },\n  \"b\": [\n    1,\n    {}\n  ]\n}");
  CHECK(Again("\"\xc3\xa9\"", {.escapes_beyond_ascii = false}) == "\"\xc3\xa9\"");
}

TEST_CASE("what Python refuses is refused") {
  for (const char* text :
       {"\xef\xbb\xbf{}", "NaNa", "-NaN", "+1", "01", "1.", "{'a': 1}", "[1,]", "infinity", "\"\n\"", ""}) {
    CAPTURE(text);
    CHECK_FALSE(ParsePythonJson(text).has_value());
  }
}

TEST_CASE("what JSON cannot hold is named with its place") {
  Map map;
  map.Append("when", Value(List{Value(1), Value(Date{0})}));
  const Result<std::string> written = WritePythonJson(Value(map));
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code == ErrorCode::kUnsupported);
  CHECK(written.error().message == "JSON cannot hold a date, which stands at when[1]");
}

}  // namespace assay
