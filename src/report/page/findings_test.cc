// Items of a check are told with their points; a check of another form is left to others.
#include <doctest/doctest.h>

#include "base/sink.h"
#include "report/page/parts.h"
#include "text/json/json.h"

namespace assay {

namespace {

class TextSink final : public Sink {
 public:
  Status Open(std::string_view) override { return Ok(); }
  Status Write(std::string_view bytes) override {
    text += bytes;
    return Ok();
  }
  Status Close() override { return Ok(); }
  std::string text;
};

// "" where nothing was written.
std::string PageOf(std::string_view kind, std::string_view args, std::string_view answer) {
  Check check;
  check.kind = kind;
  check.args = *ParseJson(args);
  Score score = Score::Of(1);
  score.answer = *ParseJson(answer);
  TextSink sink;
  HtmlWriter page(sink);
  const bool is_written = WriteFindings(page, {.prompt = 500, .answer = 500, .reason = 500}, check, score);
  CHECK(page.Finish());
  CHECK(is_written == !sink.text.empty());
  return sink.text;
}

}  // namespace

TEST_CASE("items are told in words") {
  struct Row {
    std::string_view kind, args, answer;
    std::vector<std::string_view> shown;
  };
  const Row rows[] = {
      {"keywords",
       R"(["sorted", {"post_handler": {}}, {"content": {"or": ["a", {"and": ["<b>", "c"]}]}, "weight": 2},
           {"content": "eval(", "neg": true},
           {"content": {"content": "\\d+", "regex": true, "cond": "ans"}}])",
       R"({"keywords": ["match", "unmatch", "match", "unmatch"], "post_handler_detail": "adjusted"})",
       {"“sorted” <small>1 of 1</small><p>it is there", "“a” or (“&lt;b&gt;” and “c”) <small>0 of 2</small>",
        "not: “eval(” <small>-1 of 0</small>", "the pattern “\\d+” if ans <small>0 of 1</small>",
        "own handler: adjusted"}},
      {"blank_filling",
       R"({"template": "x = [blank]",
           "targets": [{"content": ["one", {"content": "o.*", "regex": true}]}, "two"]})",
       R"({"blank_filling_detail": ["matched: response string: one, ans: one",
                                    "unmatched: match rate too low - 0.1"]})",
       {"“one” or the pattern “o.*” <small>1 of 1</small><p>given: “one”", "“two” <small>0 of 1</small>",
        "<p>match rate too low - 0.1", "the template</summary><pre class=t>x = [blank]"}},
      {"unit_test",
       R"({"tests": ["\nassert f()\nmore", {"path": "t.py", "weight": 3}]})",
       R"({"unit_test_detail": [{"passed": true, "result": ["passed "], "code": "f"},
                                {"passed": false, "result": ["failed: x"]}]})",
       {"assert f() <small>1 of 1</small><p>passed", "t.py <small>0 of 3</small><p>failed: x",
        "the program</summary><pre class=t>f<"}},
      {"similarity",
       R"([{"metric": "rouge1", "weight": 2, "references": ["r"]}])",
       R"({"similarity_detail": [{"rouge1": 0.3456, "normalized_score": 0.5}]})",
       {"rouge1 <small>1 of 2</small><p>0.346 with"}},
  };
  for (const Row& row : rows) {
    const std::string text = PageOf(row.kind, row.args, row.answer);
    for (const std::string_view part : row.shown) {
      CAPTURE(text);
      CAPTURE(part);
      CHECK(text.find(part) != std::string::npos);
    }
  }
}

TEST_CASE("what has another form is left alone") {
  CHECK(PageOf("customized", "{}", R"({"custom_detail": "x"})").empty());
  CHECK(PageOf("keywords", R"(["a", "b"])", R"({"keywords": ["match"]})").empty());
  CHECK(PageOf("keywords", R"({"a": 1})", R"({"keywords": ["match"]})").empty());
  CHECK(PageOf("unit_test", R"({"tests": "x"})", "{}").empty());
}

}  // namespace assay
