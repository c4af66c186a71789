// Compact JSON as text against its tree.
#include "text/json/compact.h"

#include <doctest/doctest.h>

#include <string>

#include "text/json/json.h"
#include "text/json/stream.h"

namespace assay {
namespace {

class GatheringSink final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    text += bytes;
    return Ok();
  }
  Status Close() override { return Ok(); }
  std::string text;
};

constexpr std::string_view kCompactTexts[] = {
    "{}",
    "[]",
    "null",
    "-1.5e-7",
    R"("a \" b \\")",
    R"({"a":[],"b":{},"c":[1,{"d":"line\nbreak","e":[[2],[]]},null],"f":{"g":{"h":true}}})",
    R"({"id":"a","messages":[{"role":"user","content":"{\"x\": [1, 2]}, \\"}],"weight":0.1,"":"é,]}"})",
    R"([[],{},[{}],{"a":[{}]},"",[""]])",
};

TEST_CASE("a compact text is streamed as its tree is, wherever it stands") {
  for (const std::string_view text : kCompactTexts) {
    CAPTURE(text);
    const Result<Value> tree = ParseJson(text);
    REQUIRE(tree.has_value());
    REQUIRE(WriteJson(*tree, JsonStyle::kJavaScript) == text);
    REQUIRE(KeepsOrder(text));
    for (const JsonStyle style : {JsonStyle::kJavaScript, JsonStyle::kJavaScript2}) {
      std::string streamed[2];
      for (const bool as_text : {false, true}) {
        GatheringSink sink;
        JsonStream stream(sink, style);
        stream.OpenMap();
        stream.Key("k");
        as_text ? stream.WriteCompact(text) : stream.Write(*tree);
        stream.Key("l");
        stream.OpenList();
        for (int i = 0; i < 2; ++i) as_text ? stream.WriteCompact(text) : stream.Write(*tree);
        stream.Close();
        stream.Close();
        REQUIRE(stream.Finish().has_value());
        streamed[as_text ? 1 : 0] = sink.text;
      }
      CHECK(streamed[1] == streamed[0]);
    }
  }
}

TEST_CASE("members are found at the first level, whatever their values hold") {
  constexpr std::string_view kObject =
      R"({"a":"x,\"b\":1","c":{"b":2},"d":[{"b":3},"}"],"b":4,"e":{"f":[1]},"last":true})";
  CHECK(FindJsonMember(kObject, "a") == R"("x,\"b\":1")");
  CHECK(FindJsonMember(kObject, "b") == "4");
  CHECK(FindJsonMember(kObject, "c") == R"({"b":2})");
  CHECK(FindJsonMember(kObject, "d") == R"([{"b":3},"}"])");
  CHECK(FindJsonMember(kObject, "e") == R"({"f":[1]})");
  CHECK(FindJsonMember(kObject, "last") == "true");
  CHECK(FindJsonMember(kObject, "f").empty());
  CHECK(FindJsonMember("{}", "a").empty());
  for (const std::string_view damaged : {"", "{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\\", "nonsense", "[1]"}) {
    CAPTURE(damaged);
    CHECK(FindJsonMember(damaged, "b").empty());
  }
}

TEST_CASE("keys that JavaScript would put first are told") {
  CHECK(KeepsOrder(R"({"a1":"2","b":["1",{"c":"3:"}]})"));
  CHECK_FALSE(KeepsOrder(R"({"a":{"b":1,"7":2}})"));
}

}  // namespace
}  // namespace assay
