// Tests of JSON as JavaScript's tools write it, and of the encoding of golden files, both ways.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "base/text/utf8.h"
#include "text/json/json.h"
#include "text/packed/base64.h"

namespace assay {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Value Escaped() {
  Map inner;
  inner.Append("z", 1);
  inner.Append("gone", Value());
  inner.Append("\xef\xbf\xbd", 2);
  inner.Append("😀", 3);
  inner.Append("A", Value(List{}));
  Map map;
  map.Append("list", List{1.5, Value(), Null{}, kNotANumber, -0.0, 1e21});
  map.Append("inner", std::move(inner));
  map.Append("empty", Value(Map()));
  map.Append("date", Date{0});
  map.Append("int", std::int64_t{9'007'199'254'740'993});
  return Value(std::move(map));
}

TEST_CASE("the styles") {
  CHECK(WriteJson(Escaped(), JsonStyle::kJavaScript) ==
        "{\"list\":[1.5,null,null,null,0,1e+21],\"inner\":{\"z\":1,\"\xef\xbf\xbd\":2,\"😀\":3,\"A\":[]},"
        "\"empty\":{},"
        "\"date\":\"1970-01-01T00:00:00.000Z\",\"int\":9007199254740993}");
  CHECK(WriteJson(Escaped(), JsonStyle::kCanonical) ==
        "{\"date\":\"1970-01-01T00:00:00.000Z\",\"empty\":{},\"inner\":{\"A\":[],\"z\":1,\"😀\":3,"
        "\"\xef\xbf\xbd\":2},"
        "\"int\":9007199254740993,\"list\":[1.5,null,null,null,0,1e+21]}");
  CHECK(WriteJson(Escaped(), JsonStyle::kJavaScript2) ==
        "{\n  \"list\": [\n    1.5,\n    null,\n    null,\n    null,\n    0,\n    1e+21\n  ],\n"
        "  \"inner\": {\n    \"z\": 1,\n    \"\xef\xbf\xbd\": 2,\n    \"😀\": 3,\n    \"A\": []\n  },\n"
        "  \"empty\": {},\n  \"date\": \"1970-01-01T00:00:00.000Z\",\n  \"int\": 9007199254740993\n}");
}

TEST_CASE("values alone") {
  struct Row {
    Value value;
    std::string_view want;
  };
  const Row rows[] = {
      {Value(), "null"},
      {Null{}, "null"},
      {true, "true"},
      {kInfinite, "null"},
      {-1e-7, "-1e-7"},
      {0.1, "0.1"},
      {9007199254740992.0, "9007199254740992"},
      {std::int64_t{-5}, "-5"},
      {"a", "\"a\""},
      {Value(List{}), "[]"},
      {Value(Map()), "{}"},
  };
  for (const Row& row : rows) CHECK(WriteJson(row.value, JsonStyle::kJavaScript2) == row.want);
}

TEST_CASE("a map of undefined members is empty") {
  Map map;
  map.Append("a", Value());
  CHECK(WriteJson(map, JsonStyle::kJavaScript2) == "{}");
  CHECK(WriteEncoded(map, JsonStyle::kJavaScript) == "{}");
}

TEST_CASE("binary data is a map of index to byte, whose keys sort as texts") {
  const Value binary(Binary{std::string("\x01\xff") + std::string(9, '\0')});
  CHECK(WriteJson(binary, JsonStyle::kJavaScript) ==
        "{\"0\":1,\"1\":255,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0,\"10\":0}");
  CHECK(WriteJson(binary, JsonStyle::kCanonical) ==
        "{\"0\":1,\"1\":255,\"10\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"9\":0}");
}

TEST_CASE("strings") {
  struct Row {
    std::string_view text;
    std::string_view want;
  };
  const Row rows[] = {
      {"", "\"\""},
      {"a\"\\/b", "\"a\\\"\\\\/b\""},
      {std::string_view("\0\x01\b\t\n\x0b\f\r\x1f\x7f", 10),
       "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\x7f\""},
      {"é日😀\xe2\x80\xa8", "\"é日😀\xe2\x80\xa8\""},
      {"\xed\xa0\xbd", "\"\\ud83d\""},
      {"a\xed\xb8\x80z", "\"a\\ude00z\""},
      {"\xed\x9f\xbf", "\"\xed\x9f\xbf\""},
      {"a\xff"
       "b\xc3",
       "\"a\xef\xbf\xbd"
       "b\xef\xbf\xbd\""},
  };
  for (const Row& row : rows) {
    std::string out = "x";
    AppendJsonString(row.text, out);
    CHECK(out == "x" + std::string(row.want));
  }
}

TEST_CASE("base64") {
  struct Row {
    std::string_view bytes;
    std::string_view text;
  };
  const Row rows[] = {{"", ""},
                      {"f", "Zg=="},
                      {"fo", "Zm8="},
                      {"foo", "Zm9v"},
                      {"foob", "Zm9vYg=="},
                      {"fooba", "Zm9vYmE="},
                      {"\xff\xfe", "//4="}};
  for (const Row& row : rows) {
    CHECK(EncodeBase64(row.bytes) == row.text);
    CHECK(DecodeBase64(row.text) == row.bytes);
  }
  for (const std::string_view bad :
       {"Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm 9", "=Zg=", "Zg==Zg==", "===="}) {
    CHECK_FALSE(DecodeBase64(bad).has_value());
  }
}

TEST_CASE("the encoding of what JSON cannot say") {
  struct Row {
    Value value;
    std::string_view text;
  };
  Map like;
  like.Append("__number", "7");
  const Row rows[] = {
      {Value(), "{\"__undefined\":true}"},
      {kNotANumber, "{\"__number\":\"NaN\"}"},
      {kInfinite, "{\"__number\":\"Infinity\"}"},
      {-kInfinite, "{\"__number\":\"-Infinity\"}"},
      {-0.0, "{\"__number\":\"-0\"}"},
      {Date{1705314030123}, "{\"__date\":\"2024-01-15T10:20:30.123Z\"}"},
      {Date{-62167219200001}, "{\"__date\":\"-000001-12-31T23:59:59.999Z\"}"},
      {Date{8640000000000000}, "{\"__date\":\"+275760-09-13T00:00:00.000Z\"}"},
      {Binary{"\x01\x02"}, "{\"__binary\":\"AQI=\"}"},
      {List{Value(), 1}, "[{\"__undefined\":true},1]"},
      {like, "{\"__number\":\"7\"}"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(WriteEncoded(row.value, JsonStyle::kJavaScript) == row.text);
    CHECK(SameValue(DecodeEncoded(ParseJson(row.text).value()), row.value));
  }
  // What looks like a form but is none stays as it is.
  for (const std::string_view text :
       {"{\"__date\":\"2024-13-01T00:00:00.000Z\"}", "{\"__date\":\"2023-02-29T00:00:00.000Z\"}",
        "{\"__date\":\"now\"}", "{\"__date\":\"\"}", "{\"__date\":7}", "{\"__binary\":\"!\"}",
        "{\"__undefined\":false}", "{\"__function\":true}", "{\"__number\":\"NaN\",\"x\":1}",
        "{\"__date\":\"-00000x-12-31T23:59:59.999Z\"}"}) {
    const Value value = ParseJson(text).value();
    CHECK(SameValue(DecodeEncoded(value), value));
  }
  const Value placed = DecodeEncoded(ParseJson(" {\"__number\":\"NaN\"}").value());
  CHECK(placed.span.offset == 1);
}

// A tree of any shape, with every kind of value that the encoding knows.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Value Tree(int depth) {
    switch (Below(depth > 0 ? 9 : 7)) {
      case 0:
        return Null{};
      case 1:
        return Below(2) == 1;
      case 2:
        return static_cast<double>(Below(2'000'000)) - 1e6;
      case 3:
        return AnyNumber();
      case 4:
        return Text();
      case 5:
        return Date{static_cast<std::int64_t>(Below(8'640'000'000'000'000)) - 4'320'000'000'000'000};
      case 6:
        return Binary{Text()};
      case 7: {
        List list;
        for (std::uint64_t i = Below(6); i > 0; --i) list.push_back(Tree(depth - 1));
        return list;
      }
      default: {
        Map map;
        for (std::uint64_t i = Below(20); i > 0; --i) map.Set(Key(), Tree(depth - 1));
        return map;
      }
    }
  }

 private:
  std::uint64_t Below(std::uint64_t end) { return random_() % end; }
  double AnyNumber() { return std::bit_cast<double>(random_()); }
  std::string Key() { return Below(3) == 0 ? std::to_string(Below(30)) : Text(); }
  // Well-formed WTF-8: surrogates come in pairs only as one character.
  std::string Text() {
    std::u16string units;
    for (std::uint64_t i = Below(12); i > 0; --i) {
      constexpr char16_t kInteresting[] = {0,      9,      '"',    '\\',   0x7f,  0xe9,
                                           0x2028, 0xd83d, 0xde00, 0xd800, 0xffff};
      units.push_back(Below(2) == 0 ? kInteresting[Below(std::size(kInteresting))]
                                    : static_cast<char16_t>(' ' + Below(95)));
    }
    return ToUtf8(units);
  }

  std::mt19937_64 random_;
};

TEST_CASE("what is written reads back as the same value, in every style") {
  constexpr std::uint64_t kSeed = 20261121;
  CAPTURE(kSeed);
  Generator generator(kSeed);
  for (int i = 0; i < 2'000; ++i) {
    const Value value = generator.Tree(4);
    for (const JsonStyle style : {JsonStyle::kJavaScript, JsonStyle::kJavaScript2, JsonStyle::kCanonical}) {
      const std::string text = WriteEncoded(value, style);
      CAPTURE(text);
      const Result<Value> back = ParseJson(text);
      REQUIRE(back.has_value());
      REQUIRE(SameValue(DecodeEncoded(*back), value));
      const std::string plain = WriteJson(value, style);
      REQUIRE(WriteJson(ParseJson(plain).value(), JsonStyle::kCanonical) ==
              WriteJson(value, JsonStyle::kCanonical));
    }
  }
}

}  // namespace
}  // namespace assay
