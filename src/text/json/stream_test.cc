// Tests of the streaming JSON writer against the ordinary one.
#include "text/json/stream.h"

#include <doctest/doctest.h>

#include <string>

namespace assay {
namespace {

class StringSink : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    if (fail) return Error{ErrorCode::kIo, "disk full"};
    text += bytes;
    return Ok();
  }
  Status Close() override { return Ok(); }

  bool fail = false;
  std::string text;
};

// Writes `value` through the stream, maps and lists down to `depth` levels piece by piece.
void Stream(JsonStream& stream, const Value& value, int depth) {
  if (depth == 0 || !(value.is_map() || value.is_list())) {
    stream.Write(value);
    return;
  }
  if (value.is_list()) {
    stream.OpenList();
    for (const Value& element : value.AsList()) Stream(stream, element, depth - 1);
  } else {
    stream.OpenMap();
    for (const Member& member : value.AsMap()) {
      stream.Key(member.key);
      Stream(stream, member.value, depth - 1);
    }
  }
  stream.Close();
}

TEST_CASE("the stream writes what the tree writer writes, at every depth of pieces") {
  const auto parsed =
      ParseJson(R"({"a":[],"b":{},"c":[1,{"d":"line\nbreak","e":[[2],[]]},null],"f":{"g":{"h":true}}})");
  REQUIRE(parsed.has_value());
  for (const JsonStyle style : {JsonStyle::kJavaScript, JsonStyle::kJavaScript2}) {
    for (int depth = 0; depth < 5; ++depth) {
      CAPTURE(depth);
      StringSink sink;
      JsonStream stream(sink, style);
      Stream(stream, *parsed, depth);
      CHECK(stream.Finish().has_value());
      CHECK(sink.text == WriteJson(*parsed, style));
    }
  }
}

TEST_CASE("members that were written apart stand in their map as if they had been written there") {
  const auto parsed = ParseJson(R"({"a":1,"b":{"x":[1,{"y":"line\nbreak"}],"z":{}},"c":[]})");
  REQUIRE(parsed.has_value());
  for (const JsonStyle style : {JsonStyle::kJavaScript, JsonStyle::kJavaScript2}) {
    Spool outer;
    Spool inner;
    Spool nothing;
    JsonStream deep(inner, style, 2);
    deep.Key("x");
    Stream(deep, *parsed->Find("b")->Find("x"), 1);
    deep.Member("z", *parsed->Find("b")->Find("z"));
    REQUIRE(deep.Finish().has_value());
    JsonStream shallow(outer, style, 1);
    shallow.Key("b");
    shallow.OpenMap();
    shallow.Splice(nothing);
    shallow.Splice(inner);
    shallow.Close();
    REQUIRE(shallow.Finish().has_value());
    StringSink sink;
    JsonStream stream(sink, style);
    stream.OpenMap();
    stream.Member("a", 1);
    stream.Splice(outer);
    stream.Splice(nothing);
    stream.Member("c", List());
    stream.Close();
    REQUIRE(stream.Finish().has_value());
    CHECK(sink.text == WriteJson(*parsed, style));
  }
}

TEST_CASE("undefined members vanish, and the sink's failure comes back") {
  StringSink sink;
  JsonStream stream(sink, JsonStyle::kJavaScript);
  stream.OpenMap();
  stream.Member("gone", Value());
  stream.Member("kept", Value("x"));
  stream.Close();
  CHECK(stream.Finish().has_value());
  CHECK(sink.text == R"({"kept":"x"})");

  sink.fail = true;
  JsonStream failing(sink, JsonStyle::kJavaScript);
  failing.OpenList();
  for (int i = 0; i < 100'000; ++i) failing.WriteText("some text");
  CHECK_FALSE(failing.status().has_value());
  failing.Close();
  CHECK(failing.Finish().error().message == "disk full");
}

}  // namespace
}  // namespace assay
