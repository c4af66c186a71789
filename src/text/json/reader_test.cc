// Tests of JSON as JSON.parse reads it, and of the places of problems.
#include <doctest/doctest.h>

#include <cmath>

#include "base/limits.h"
#include "text/json/json.h"
#include "text/limits.h"

namespace assay {
namespace {

Value Parsed(std::string_view text) {
  Result<Value> value = ParseJson(text);
  CAPTURE(text);
  REQUIRE(value.has_value());
  return std::move(*value);
}

TEST_CASE("texts that come back as JSON.stringify writes them") {
  struct Row {
    std::string_view text;
    std::string_view want;
  };
  const Row rows[] = {
      {"null", "null"},
      {" \t\r\n true \n", "true"},
      {"false", "false"},
      {"\"\"", "\"\""},
      {"[]", "[]"},
      {"{}", "{}"},
      {"[ 1 , 2 ]", "[1,2]"},
      {"{ \"a\" : { \"b\" : [ ] } }", "{\"a\":{\"b\":[]}}"},
      {"0", "0"},
      {"-0", "0"},
      {"12.50", "12.5"},
      {"1E3", "1000"},
      {"1e+2", "100"},
      {"5e-324", "5e-324"},
      {"123456789012345678901234567890", "1.2345678901234568e+29"},
      {"999999999999999", "999999999999999"},
      {"9007199254740993", "9007199254740992"},
      {"2e-324", "0"},
      {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\""},
      {"\"\\u00e9\\u65E5\\ud83d\\ude00\"", "\"é日😀\""},
      {"\"\\ud83d\"", "\"\\ud83d\""},
      {"\"\\ude00\\ud83d\"", "\"\\ude00\\ud83d\""},
      {"\"\\ud83d\\ud83d\\ude00\"", "\"\\ud83d😀\""},
      {"\"\\ud83dx\"", "\"\\ud83dx\""},
      {"\"\\ud83d\\n\"", "\"\\ud83d\\n\""},
      {"\"\x7f \xe2\x80\xa8 日本語 long enough for words of eight bytes\"",
       "\"\x7f \xe2\x80\xa8 日本語 long enough for words of eight bytes\""},
      // Own-key order, and the last of equal keys in the first one's position.
      {"{\"b\":1,\"2\":1,\"a\":1,\"10\":1,\"1\":1,\"01\":1}",
       "{\"1\":1,\"2\":1,\"10\":1,\"b\":1,\"a\":1,\"01\":1}"},
      {"{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}"},
      {"{\"a\":1,\"\\u0061\":[2],\"c\":0,\"a\":{\"x\":1}}", "{\"a\":{\"x\":1},\"c\":0}"},
      {"{\"__proto__\":1,\"\":2}", "{\"__proto__\":1,\"\":2}"},
  };
  for (const Row& row : rows) CHECK(WriteJson(Parsed(row.text), JsonStyle::kJavaScript) == row.want);
}

TEST_CASE("numbers beyond doubles") {
  struct Row {
    std::string_view text;
    double want;
  };
  constexpr double kInfinity = HUGE_VAL;
  const Row rows[] = {
      {"1e400", kInfinity},
      {"-1e400", -kInfinity},
      {"1e-400", 0.0},
      {"-1e-400", -0.0},
      {"1e99999999999999999999", kInfinity},
      {"1e-99999999999999999999", 0.0},
      {"0e99999999999999999999", 0.0},
      {"-0.0", -0.0},
      {"0.0000001e310", 1e303},
      {"1.7976931348623159e308", kInfinity},
      {"1.7976931348623157e308", 1.7976931348623157e308},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const double got = Parsed(row.text).AsNumber();
    CHECK(got == row.want);
    CHECK(std::signbit(got) == std::signbit(row.want));
  }
  CHECK(Parsed("0." + std::string(400, '0') + "1e400").AsNumber() == 0.1);
  CHECK(Parsed("0." + std::string(400, '0') + "1").AsNumber() == 0);
  CHECK(Parsed(std::string(400, '9')).AsNumber() == kInfinity);
  CHECK(Parsed(std::string(400, '9') + "e-400").AsNumber() == 1);
}

struct Bad {
  std::string text;
  std::uint32_t offset;
  std::uint32_t length;
  std::string_view says;
  std::string_view code = "json.syntax";
};

void CheckBad(const Bad& row) {
  CAPTURE(row.text);
  Diagnostics diagnostics;
  const auto file = static_cast<FileId>(3);
  CHECK(ReadJson(file, row.text, diagnostics).is_undefined());
  REQUIRE(diagnostics.All().size() == 1);
  const Diagnostic& problem = diagnostics.All()[0];
  CHECK(problem.code == row.code);
  CHECK(problem.where == Span{file, row.offset, row.length});
  CHECK_MESSAGE(problem.message.find(row.says) != std::string::npos, problem.message);
  CHECK_FALSE(ParseJson(row.text).has_value());
}

TEST_CASE("what JSON.parse refuses, with its place") {
  const Bad rows[] = {
      {"", 0, 0, "expected a value, found the end of the text"},
      {"  ", 2, 0, "the end of the text"},
      {"[1,]", 3, 1, "expected a value, found \"]\""},
      {"[1 2]", 3, 1, "expected \",\" or \"]\", found \"2\""},
      {"[1", 2, 0, "the end of the text"},
      {"[,1]", 1, 1, "a value"},
      {"{\"a\":1,}", 7, 1, "a key in double quotes"},
      {"{a:1}", 1, 1, "a key in double quotes"},
      {"{\"a\" 1}", 5, 1, "\":\" after the key"},
      {"{\"a\":}", 5, 1, "a value"},
      {"{\"a\":1 \"b\"}", 7, 1, "\",\" or \"}\""},
      {"{\"a\":1", 6, 0, "the end of the text"},
      {"1 2", 2, 1, "the end of the text"},
      {"truex", 0, 5, "found \"truex\""},
      {"True", 0, 4, "found \"True\""},
      {"NaN", 0, 3, "a value"},
      {"-Infinity", 1, 8, "a digit"},
      {"undefined", 0, 9, "a value"},
      {"'a'", 0, 1, "a value"},
      {"// c\n1", 0, 1, "a value"},
      {"01", 0, 1, "needless 0"},
      {"-01", 0, 2, "needless 0"},
      {"1.", 2, 0, "a digit"},
      {".5", 0, 1, "a value"},
      {"+1", 0, 1, "a value"},
      {"1e", 2, 0, "a digit"},
      {"1e+", 3, 0, "a digit"},
      {"-", 1, 0, "a digit"},
      {"0x10", 1, 3, "the end of the text"},
      {"\"abc", 0, 1, "no closing quote"},
      {"\"abc\\", 4, 1, "no escape"},
      {"\"a\nb\"", 2, 1, "control character"},
      {"\"12345678\tb\"", 9, 1, "control character"},
      {"\"\\x41\"", 1, 2, "no escape"},
      {"\"\\é\"", 1, 3, "no escape"},
      {"\"\\u12g4\"", 1, 2, "four hexadecimal digits"},
      {"\"\\u-123\"", 1, 2, "four hexadecimal digits"},
      {"\"\\u12", 1, 2, "four hexadecimal digits"},
      {"\"\\ud83d\\uzzzz\"", 7, 2, "four hexadecimal digits"},
      {"\xc2\xa0"
       "1",
       0, 2, "a value"},
      {"1\x0c", 1, 1, "the end of the text"},
      {"\xef\xbb\xbf{}", 0, 3, "byte order mark"},
      {std::string("[\0]", 3), 1, 1, "a value"},
      {std::string("\"a\0\"", 4), 2, 1, "control character"},
      {"[\"\xff\"]", 2, 1, "0xff", "json.encoding"},
      {"\"\xed\xa0\x80\"", 1, 1, "0xed", "json.encoding"},
      {"\"\xc3\"", 1, 1, "0xc3", "json.encoding"},
  };
  for (const Bad& row : rows) CheckBad(row);
}

TEST_CASE("limits") {
  const std::size_t deepest = limits::kJsonDepthMax;
  CHECK(ParseJson(std::string(deepest, '[') + std::string(deepest, ']')).has_value());
  CheckBad({std::string(deepest + 1, '[') + std::string(deepest + 1, ']'),
            static_cast<std::uint32_t>(deepest), 1, "512 deep", "json.limit"});
  CHECK(ParseJson(std::string(100'000, '[')).error().code == ErrorCode::kLimit);
  std::string many = "[0";
  for (std::size_t i = 1; i < limits::kJsonNodesMax; ++i) many += ",0";
  many += "]";
  CHECK(ParseJson(many).error().code == ErrorCode::kLimit);
  CheckBad({std::string(limits::kInputFileBytesMax + 1, ' '), 0, 0, "67108864 bytes", "json.limit"});
}

TEST_CASE("an error of a text without a file names line and column") {
  const Error error = ParseJson("{\n  \"é\": tru\n}").error();
  CHECK(error.code == ErrorCode::kInvalidInput);
  CHECK(error.message == "JSON, line 2 column 8: expected a value, found \"tru\"");
  CHECK(ParseJson("[1,]").error().notes ==
        std::vector<std::string>{"remove the comma before the closing bracket"});
}

TEST_CASE("every value and key has its place") {
  const std::string_view text = " { \"key\" : [ 12, \"x\" ] } ";
  Diagnostics diagnostics;
  const auto file = static_cast<FileId>(1);
  const Value value = ReadJson(file, text, diagnostics);
  const auto slice = [text](Span span) { return text.substr(span.offset, span.length); };
  CHECK(slice(value.span) == "{ \"key\" : [ 12, \"x\" ] }");
  const Member& member = *value.AsMap().begin();
  CHECK(slice(member.key_span) == "\"key\"");
  CHECK(member.key_span.file == file);
  CHECK(slice(member.value.span) == "[ 12, \"x\" ]");
  CHECK(slice(member.value.AsList()[0].span) == "12");
  CHECK(slice(member.value.AsList()[1].span) == "\"x\"");
}

TEST_CASE("large maps find their duplicates without comparing each with each") {
  constexpr int kKeys = 100'000;
  std::string text = "{";
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kKeys; ++i) {
      text += "\"k" + std::to_string(i) + "\":" + std::to_string(round * kKeys + i) + ",";
    }
  }
  text += "\"last\":0}";
  const Value value = Parsed(text);
  REQUIRE(value.AsMap().size() == kKeys + 1);
  int i = 0;
  for (const Member& member : value.AsMap()) {
    if (i == kKeys) break;
    REQUIRE(member.key == "k" + std::to_string(i));
    REQUIRE(member.value.AsNumber() == kKeys + i);
    ++i;
  }
}

TEST_CASE("a key that occurs twice is refused where a text must not say two things") {
  struct Row {
    std::string_view text;
    std::string_view problem;  // "": none
  };
  const Row rows[] = {
      {R"({"a":1,"b":{"a":2}})", ""},
      {R"({"a":1,"b":2,"a":3})", R"(line 1 column 14: the key "a" occurs twice)"},
      {R"({"a":1,"\u0061":2})", R"(line 1 column 8: the key "\u0061" occurs twice)"},
      {R"([{"x":[{"":1,"":2}]}])", R"(the key "" occurs twice)"},
      {R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"b":2})",
       R"(the key "b" occurs twice)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(ParseJson(row.text));
    const Result<Value> read = ParseJson(row.text, RepeatedKeys::kRefuse);
    CHECK(read.has_value() == row.problem.empty());
    if (!read) CHECK(read.error().message.find(row.problem) != std::string::npos);
  }
}

}  // namespace
}  // namespace assay
