// Tests of prompts kept as JSON texts.
#include "dialects/blueprint/kept_prompts.h"

#include <doctest/doctest.h>

#include <limits>

#include "text/json/json.h"

namespace assay::blueprint {
namespace {

TEST_CASE("a kept prompt is the same prompt; what JSON cannot hold stays a tree") {
  for (const std::string_view json :
       {R"({"id":"a","messages":[{"role":"user","content":"a \"b\" \\ é"}],"weight":0.1})",
        R"({"id":"7","points":[{"fn":"contains","fnArgs":"x","multiplier":1}],"temperature":null})"}) {
    CAPTURE(json);
    const Result<Value> prompt = ParseJson(json);
    REQUIRE(prompt.has_value());
    const Value kept = KeptPrompt(*prompt);
    CHECK(kept.is_string());
    CHECK(SameValue(PromptOf(kept), *prompt));
    CHECK(SameValue(PromptOf(*prompt), *prompt));  // as runs of older versions have it
  }
  Map dated;
  dated.Append("id", "a");
  dated.Append("description", Date{.ms = 5});
  CHECK(KeptPrompt(Value(dated)).is_map());
  Map endless;
  endless.Append("id", "a");
  endless.Append("weight", std::numeric_limits<double>::infinity());
  CHECK(KeptPrompt(Value(endless)).is_map());
  Map numbered;
  numbered.Append("id", 7);
  CHECK(KeptPrompt(Value(numbered)).is_map());
}

// Of the prompt and of what is picked from it, compact and indented.
std::string Written(const Value& kept) {
  std::string all;
  for (const JsonStyle style : {JsonStyle::kJavaScript, JsonStyle::kJavaScript2}) {
    Spool text;
    JsonStream json(text, style);
    json.OpenMap();
    json.Key("prompt");
    WritePrompt(kept, json);
    json.Key("picked");
    constexpr std::string_view kKeys[] = {"weight", "none", "id"};
    WritePromptMembers(kept, kKeys, json);
    WritePromptMember(kept, "messages", "of a", json);
    WritePromptMember(kept, "none", "nothing", json);
    json.Close();
    REQUIRE(json.Finish().has_value());
    REQUIRE(text.Read([&all](std::string_view piece) {
                  all += piece;
                  return Ok();
                })
                .has_value());
  }
  return all;
}

TEST_CASE("a prompt is written alike from its text and from its tree") {
  for (const std::string_view json :
       {R"({"id":"a","messages":[{"role":"user","content":"a \"b\" \\ é"}],"weight":0.1})",
        R"({"id":"7","points":[{"fn":"json","fnArgs":{"2":[],"1":{}}}],"temperature":null})"}) {
    CAPTURE(json);
    const Result<Value> prompt = ParseJson(json);
    REQUIRE(prompt.has_value());
    const Value kept = KeptPrompt(*prompt);
    REQUIRE(kept.is_string());
    CHECK(Written(kept) == Written(*prompt));
  }
  const Value unsorted(std::string(R"({"id":"a","b":1,"5":2})"));
  CHECK(Written(unsorted) == Written(PromptOf(unsorted)));
}

TEST_CASE("a kept prompt holds no credentials") {
  const Result<Value> prompt = ParseJson(R"({"id":"a","points":[{"fn":"call","fnArgs":
      {"url":"http://h/?api_key=abc","headers":{"Authorization":"Bearer abc"}}}]})");
  REQUIRE(prompt.has_value());
  const Value kept = KeptPrompt(*prompt);
  REQUIRE(kept.is_string());
  CHECK(kept.AsString().find("abc") == std::string::npos);
}

}  // namespace
}  // namespace assay::blueprint
