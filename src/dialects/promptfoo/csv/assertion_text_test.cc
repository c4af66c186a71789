// Tests of assertions that are written as texts.
#include "dialects/promptfoo/csv/assertion_text.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

std::string Json(std::string_view text) {
  return WriteJson(AssertionOfText(text, true), JsonStyle::kJavaScript);
}

TEST_CASE("assertions in cells") {
  CHECK(Json(" yes ") == R"({"type":"equals","value":"yes"})");
  CHECK(Json("contains: h ") == R"({"type":"contains","value":"h"})");
  CHECK(Json("not-contains-any:a,\"b,c\"") == R"({"type":"not-contains-any","value":["a","b,c"]})");
  CHECK(Json("is-json") == R"({"type":"is-json"})");
  CHECK(Json("levenshtein(2):word") == R"({"type":"levenshtein","value":"word","threshold":2})");
  CHECK(Json("similar:word") == R"({"type":"similar","value":"word","threshold":0.8})");
  CHECK(Json("latency") == R"({"type":"latency","threshold":0.75})");
  CHECK(Json("fn: output === '5'") == R"({"type":"javascript","value":"output === '5'"})");
  CHECK(Json("grade: is kind") == R"({"type":"llm-rubric","value":" is kind"})");
  CHECK(Json("containsx:q") == R"({"type":"equals","value":"containsx:q"})");
  CHECK(Json("file://a.js") == R"({"type":"javascript","value":"file://a.js"})");
  CHECK(Json("file://a.py:f") == R"({"type":"python","value":"a.py:f"})");
  CHECK(WriteJson(AssertionOfText("file://a.py", false), JsonStyle::kJavaScript) ==
        R"({"type":"python","value":"file://a.py"})");
}

TEST_CASE("lists between commas") {
  using Texts = std::vector<std::string>;
  CHECK(CommaList(" a , ,b") == Texts{"a", "b"});
  CHECK(CommaList(R"("a ""q"", b",c)") == Texts{R"(a "q", b)", "c"});
  CHECK(CommaList(R"("\"x\"")") == Texts{R"("x")"});
}

}  // namespace
}  // namespace assay::promptfoo
