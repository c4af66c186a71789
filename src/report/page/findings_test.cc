// Tests that items of a check are written with their points, and that a check of another form is left to
// others.
#include <doctest/doctest.h>

#include "base/files/sink.h"
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
std::string PageOf(const Check& check, std::vector<ScoreItem> items) {
  Score score = Score::Of(1);
  score.items = std::move(items);
  TextSink sink;
  HtmlWriter page(sink);
  const bool is_written = WriteFindings(page, {.prompt = 500, .answer = 500, .reason = 500}, check, score);
  CHECK(page.Finish());
  CHECK(is_written == !sink.text.empty());
  return sink.text;
}

}  // namespace

// Only four kinds of checks had their parts on the page, read back from sentences and arguments.
TEST_CASE("items are told in words, whatever the check") {
  Check check;
  check.kind = "a_check_of_tomorrow";
  CHECK(PageOf(check, {{.wanted = "“<b>”", .found = "it is there", .share = 1, .points = 1}})
            .find("“&lt;b&gt;” <small>1 of 1</small><p>it is there") != std::string::npos);
  CHECK(
      PageOf(check, {{.wanted = "not: “eval(”", .points = -1, .weight = 0}}).find("<small>-1 of 0</small>") !=
      std::string::npos);
  CHECK(PageOf(check, {{.wanted = "t.py", .found = "failed: x", .weight = 3, .program = "f"}})
            .find("<small>0 of 3</small><p>failed: x</p><details class=more><summary>the program</summary>"
                  "<pre class=t>f<") != std::string::npos);
  CHECK(PageOf(check, {{.sentence = "adjusted"}}).find("<li>adjusted") != std::string::npos);
}

TEST_CASE("what the items stand in is shown below them") {
  Check check;
  check.args = *ParseJson(R"({"template": "x = [blank]"})");
  CHECK(PageOf(check, {{.wanted = "“two”"}}).find("the template</summary><pre class=t>x = [blank]") !=
        std::string::npos);
}

TEST_CASE("a score without items is left alone") { CHECK(PageOf(Check{}, {}).empty()); }

}  // namespace assay
