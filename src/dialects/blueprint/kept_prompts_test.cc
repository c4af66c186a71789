// Prompts kept as texts.
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
