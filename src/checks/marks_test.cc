// Tests of what graders mark of an answer: where what they looked for stands.
#include <doctest/doctest.h>

#include "checks/check.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/json.h"

namespace assay {
namespace {

// "[0,4)[8,12)" of the answer, in the order in which they were found.
std::string MarksOf(std::string_view kind, std::string_view args, std::string_view answer_text) {
  Check check;
  check.kind = kind;
  check.args = ParseJson(args).value();
  const CheckRow* row = FindCheck(kind, {std::string(kind)});
  REQUIRE(row != nullptr);
  Diagnostics diagnostics;
  const CheckArgs parsed = row->parse({.check = check}, diagnostics);
  REQUIRE(parsed != nullptr);
  AnswerView answer(answer_text);
  const Transcript transcript;
  const Case the_case;
  WorkerState worker;
  const GradeInput input{
      .answer = answer, .transcript = transcript, .variant_id = "echo:x", .the_case = the_case};
  std::string found;
  for (const TextRange& range : row->grade(input, parsed, worker).marks)
    found += "[" + std::to_string(range.from) + "," + std::to_string(range.to) + ")";
  return found;
}

}  // namespace

TEST_CASE("checks of texts mark where they found them") {
  struct Row {
    const char* kind;
    const char* args;
    const char* want;
  };
  const Row rows[] = {
      {"contains", R"("Rain")", "[0,4)"},
      {"contains", R"("rain")", ""},
      {"contains", R"("")", ""},
      {"icontains", R"("RAIN")", "[0,4)"},
      {"contains_any_of", R"(["snow", "June", "in"])", "[8,12)"},
      {"contains_all_of", R"(["snow", "June", "in"])", "[8,12)[2,4)"},
      {"contains_at_least_n_of", R"([2, ["June"]])", "[8,12)"},
      {"not_contains", R"("June")", "[8,12)"},
      {"contains_word", R"("in")", "[5,7)"},
      {"icontains_word", R"("IN")", "[5,7)"},
      {"starts_with", R"("Rain")", "[0,4)"},
      {"ends_with", R"("June")", "[8,12)"},
      {"iends_with", R"("juNE")", "[8,12)"},
      {"matches", R"("[iI]n J")", "[5,9)"},
      {"matches", R"("x*")", ""},
      {"imatches", R"("JU")", "[8,10)"},
      {"matches_all_of", R"(["^R", "e$"])", "[0,1)[11,12)"},
      {"expected_contains", R"("June")", "[8,12)"},
      {"expected_regex", R"("J\\w+")", "[8,12)"},
      {"keywords", R"(["June", {"content": "RAIN", "to_lower": true}, {"content": {"content": "J.*",
        "regex": true}}])",
       "[8,12)[0,4)"},
      {"keywords", R"([{"content": {"or": ["fog", "in"]}}])", "[2,4)"},
      {"word_count_between", "[1, 9]", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.kind);
    CAPTURE(row.args);
    CHECK(MarksOf(row.kind, row.args, "Rain in June") == row.want);
  }
  const char* const blanks = R"({"template": "use [blank] on [blank] now", "targets": ["käse", "bread"]})";
  CHECK(MarksOf("blank_filling", blanks, "use käse on bread now") == "[4,9)[13,18)");
  CHECK(MarksOf("blank_filling", blanks, "use `käse` on toast now") == "[5,10)");
  CHECK(MarksOf("expected_numeric", R"({"value": 12.5})", "Of 7 it is 12.50 now") == "[11,16)");
  CHECK(MarksOf("expected_numeric", R"({"value": 12})", "Of 7 it is 12.50 now").empty());
}

TEST_CASE("marks count in bytes, whatever the letters take elsewhere") {
  // ä is two bytes, the key four; JavaScript counts them as one and two.
  CHECK(MarksOf("matches", R"("Schlüssel")", "Jänner 🔑 Schlüssel") == "[13,23)");
  CHECK(MarksOf("matches", R"("🔑 .")", "Jänner 🔑 Schlüssel") == "[8,14)");
  CHECK(MarksOf("icontains_word", R"("SCHLÜSSEL")", "Jänner 🔑 Schlüssel") == "[13,23)");
  CHECK(MarksOf("icontains", R"("JÄNNER")", "Im Jänner") == "[3,10)");
  CHECK(MarksOf("expected_regex", R"("n{2}er")", "Im Jänner") == "[6,10)");
  // A dotted capital I takes a byte more in lower case: nobody can tell what stands where.
  CHECK(MarksOf("icontains", R"("JUNI")", "İm Juni").empty());
}

}  // namespace assay
