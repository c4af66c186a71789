// Tests of reading TOML into the Value tree.
#include "text/toml.h"

#include <doctest/doctest.h>

#include "base/errors/span.h"
#include "text/json/json.h"

namespace assay {

TEST_CASE("every kind of value, in the file's order, at its place") {
  const std::string text =
      "b = 1\na = [true, 1.5, \"\xc3\xa4\"]\nday = 2026-11-21\n[t.u]\n\"k e\" = '''x\ny'''\n[[rows]]\nn = "
      "1\n";
  SourceFiles sources;
  Diagnostics diagnostics;
  const FileId file = sources.Add("a.toml", text);
  const Value value = ReadToml(file, text, diagnostics);
  CHECK_FALSE(diagnostics.HasErrors());
  CHECK(WriteJson(value, JsonStyle::kJavaScript) ==
        "{\"b\":1,\"a\":[true,1.5,\"\xc3\xa4\"],\"day\":\"2026-11-21T00:00:00.000Z\",\"t\":{\"u\":{\"k "
        "e\":\"x\\ny\"}},"
        "\"rows\":[{\"n\":1}]}");
  CHECK(value.Find("b")->kind() == ValueKind::kInt);
  const Value& item = value.Find("a")->AsList()[2];
  CHECK(text.substr(item.span.offset, item.span.length) == "\"\xc3\xa4\"");
  const Span key = value.AsMap().FindMember("day")->key_span;
  CHECK(text.substr(key.offset, key.length) == "day");
}

TEST_CASE("dates are dates, and so are times of day: no texts") {
  const struct {
    std::string_view text, json;
  } rows[] = {{"1979-05-27T07:32:00Z", "\"1979-05-27T07:32:00.000Z\""},
              {"1979-05-27T00:32:00.9999-07:00", "\"1979-05-27T07:32:00.999Z\""},
              {"1979-05-27 07:32:00", "\"1979-05-27T07:32:00.000Z\""},
              {"1979-05-27", "\"1979-05-27T00:00:00.000Z\""},
              {"07:32:00.5", "\"1970-01-01T07:32:00.500Z\""}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    Diagnostics diagnostics;
    const Value value = ReadToml(FileId{0}, "a = " + std::string(row.text), diagnostics);
    REQUIRE(value.is_map());
    CHECK(value.Find("a")->is_date());
    CHECK(WriteJson(*value.Find("a"), JsonStyle::kJavaScript) == row.json);
  }
}

TEST_CASE("letters beyond ASCII where a blank might stand are mistakes like any other") {
  for (const char* text :
       {"a = 2026-11-21T10:00:0\u0429\n", "a = 1\u00e9\n", "a \u00e9= 1\n", "\u0429 = 1\n"}) {
    CAPTURE(text);
    Diagnostics diagnostics;
    ReadToml(FileId{0}, text, diagnostics);
    CHECK(diagnostics.HasErrors());
  }
}

TEST_CASE("a mistake is told at its place") {
  struct Row {
    std::string_view text;
    std::size_t offset_min;
  };
  const Row rows[] = {{"a = \n", 3}, {"a = 1\na = 2\n", 6}, {"x", 0},         {"a = \"\xff\"", 0},
                      {"[t\n", 1},   {"[\x01", 1},          {"[[[[6[[[\n", 2}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Diagnostics diagnostics;
    CHECK(ReadToml(FileId::kNone, row.text, diagnostics).is_undefined());
    REQUIRE(diagnostics.ErrorCount() == 1);
    CHECK(diagnostics.All().front().code == "toml.syntax");
    CHECK(diagnostics.All().front().where.offset >= row.offset_min);
  }
  Diagnostics diagnostics;
  CHECK(ReadToml(FileId::kNone, "", diagnostics).is_map());
  CHECK(ReadToml(FileId::kNone, "a = " + std::string(5000, '['), diagnostics).is_undefined());
}

}  // namespace assay
