// Tests of extraction: what is refused and where, where in the answer a part stands, and its cost.
#include "text/extract/extraction.h"

#include <doctest/doctest.h>

#include "text/extract/steps.h"
#include "text/json/json.h"

namespace assay {

namespace {

std::string Refused(std::string_view json) {
  const Result<Extraction> read = Extraction::Read(*ParseJson(json));
  return read ? "" : read.error().message;
}

// "part @ what stands there".
std::string Extracted(std::string_view json, std::string_view answer) {
  const Result<Extraction> read = Extraction::Read(*ParseJson(json));
  REQUIRE(read.has_value());
  const Result<std::optional<ExtractedPart>> part = read->Find(answer);
  REQUIRE(part.has_value());
  if (!*part) return "nothing";
  const TextRange where = (*part)->where;
  return (*part)->text + " @ " + std::string(answer.substr(where.from, where.to - where.from));
}

}  // namespace

TEST_CASE("extraction: what cannot be followed is refused in words") {
  CHECK(Refused(R"({"nubmer":"last"})") == "there is no step \"nubmer\"; did you mean \"number\"?");
  CHECK(Refused(R"({"number":"middle"})") == "number: expected last, first or only, found \"middle\"");
  CHECK(Refused(R"({"number":"last","boxed":true})") == "expected one step, found number and boxed");
  CHECK(Refused(R"({"pick":"last"})") == "expected a step, such as {number: last}, found a mapping");
  CHECK(Refused(R"({"regex":"a","pick":"some"})") ==
        "regex: expected pick: first, last, only, or a number from 1, found \"some\"");
  CHECK(Refused(R"({"line":"last","pick":2})") == "line: pick has no effect beside it; remove it");
  CHECK(Refused(R"([])") == "expected a list of 1 to 32 steps, found a list");
  CHECK(Refused(R"(["a",[]])") == "expected a chain of 1 to 32 steps, found a list");
  CHECK(Refused(R"({"tag":"<answer>"})") ==
        "tag: expected the name of a tag, such as answer, found \"<answer>\"");
  CHECK(Refused(R"({"json":"$.a["})") ==
        "json: expected a path such as $.answer or $.items[0].name, found \"$.a[\"");
  CHECK(Refused(R"({"choice":27})").starts_with("choice: expected a count from 1 to 26"));
  CHECK(Refused(R"(7)") == "expected a step, such as {number: last} or a pattern, found a number");
  CHECK_FALSE(Refused(R"("a(")").empty());
}

TEST_CASE("extraction: a part is found where it stands") {
  CHECK(Extracted(R"j("#### (\\d+)")j", "x\n#### 72\n") == "72 @ 72");
  CHECK(Extracted(R"({"number":"last"})", "It is −$1,250.50 in all") == "-1,250.50 @ −$1,250.50");
  CHECK(Extracted(R"({"json":"$.a"})", "Sure: {\"a\": 0.50}") == "0.50 @ 0.50");
  CHECK(Extracted(R"({"json":"$.a"})", "{\"a\": \"x\\ny\"}") == "x\ny @ \"x\\ny\"");
  CHECK(Extracted(R"({"after":"ANSWER:"})", "**Answer:** _42_\nBye") == "42 @ 42");
  CHECK(Extracted(R"({"after":"Answer:"})", "Answer:\n\n  7\n") == "7 @ 7");
  CHECK(Extracted(R"([[{"drop_tag":"think"},{"number":"last"}]])", "<think>1</think> 2 <b>") == "2 @ 2");
  CHECK(Extracted(R"([[{"tag":"a"},{"number":"last"}]])", "9 <a>x 5</a> 8") == "5 @ 5");
  CHECK(Extracted(R"([{"boxed":true},"none"])", "plain") == "plain @ plain");
  CHECK(Extracted(R"({"boxed":true})", "\\boxed{\\boxed{5}} \\boxed {6}") == "6 @ 6");
  CHECK(Extracted(R"j("é(.)")j", "aé\U0001F600é1") == "1 @ 1");
  CHECK(Extracted(R"({"code":"py"})", "1. Do\n   ```python\n   x\n   ```") == "x @ x");
  CHECK(Extracted(R"({"code":true})", "```not code``` here") == "nothing");
  CHECK(Extracted(R"({"choice":"AB"})", "The answer is (C).") == "nothing");
}

// A step that is worse than linear would take minutes.
TEST_CASE("extraction: steps come to an end with answers made to delay them") {
  struct Slow {
    std::string_view step;
    std::string_view piece;
  };
  constexpr Slow kSlow[] = {
      {R"({"boxed":true})", "\\boxed{"},  {R"({"tag":"a"})", "<a <a"},
      {R"({"tag":"a"})", "<a>"},          {R"({"drop_tag":"a"})", "</a><a>"},
      {R"({"code":true})", "```\n~~~\n"}, {R"({"after":"a:"})", "a:***"},
      {R"({"after":"a:"})", "a:\n"},      {R"({"json":"a"})", "{\"a\":["},
      {R"({"number":"last"})", "1,23"},   {R"({"line":"last"})", " \n"},
  };
  for (const Slow& slow : kSlow) {
    std::string answer;
    while (answer.size() < 400'000) answer += slow.piece;
    const Result<Extraction> read = Extraction::Read(*ParseJson(slow.step));
    REQUIRE(read.has_value());
    CHECK(read->Find(answer).has_value());
  }
}

}  // namespace assay
