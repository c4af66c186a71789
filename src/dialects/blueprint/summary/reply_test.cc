// Tests of executive summaries: opaque names and back, grades, tags.
#include "dialects/blueprint/summary/reply.h"

#include <doctest/doctest.h>

#include "text/json/json.h"

namespace assay::blueprint {
namespace {

const OpaqueNames& Names() {
  static const OpaqueNames names(
      {"openai:gpt-4o[temp:0]", "openai:gpt-4o[temp:0.7]", "lab:tiny[temp:0][sp_idx:1]"});
  return names;
}

std::string Json(const Value& value) { return WriteJson(value, JsonStyle::kJavaScript); }

TEST_CASE("opaque names count up from fixed numbers, in sorted order") {
  const auto& entries = Names().entries();
  CHECK(entries[0].Joined() == "MK_5000_MD_6001_T_8000");
  CHECK(entries[1].Joined() == "MK_5000_MD_6001_T_8001");
  CHECK(entries[2].Joined() == "MK_5001_MD_6000_S_7000_T_8000");
}

TEST_CASE("references become names and links") {
  const std::pair<const char*, const char*> rows[] = {
      {"a <ref maker=\"MK_5000\" /> b", "a OpenAI b"},
      {"<ref maker=\"MK_5000\" model=\"MD_6001\"/>", "[gpt-4o](#model-perf:openai:gpt-4o[temp:0])"},
      {"<ref model=\"MD_6000\" />", "[tiny](#model-perf:lab:tiny[temp:0][sp_idx:1])"},
      {"<ref maker=\"MK_5000\" model=\"MD_6001\" temp=\"T_8001\" />",
       "[GPT 4o (Temperature 0.7)](#model-perf:openai:gpt-4o[temp:0.7])"},
      {"<ref maker=\"MK_5001\" model=\"MD_6000\" sys=\"S_7000\" />",
       "[Tiny (System 1)](#model-perf:lab:tiny[temp:0][sp_idx:1])"},
      // A variant that was not run is its model.
      {"<ref maker=\"MK_5000\" model=\"MD_6001\" temp=\"T_9\" />",
       "[gpt-4o](#model-perf:openai:gpt-4o[temp:0])"},
      {"<ref sys=\"S_7000\" />", "[System 1](#system-prompt:1)"},
      {"<ref temp=\"T_8001\" />", "temperature 0.7"},
      {"<ref prompt=\"p 1\" />", "[p 1](#prompt-detail:p 1)"},
      // What names nothing stays.
      {"<ref maker=\"MK_1\" />", "<ref maker=\"MK_1\" />"},
      {"<ref maker=\"MK_1\" model=\"MD_1\" />", "<ref maker=\"MK_1\" model=\"MD_1\" />"},
      {"<ref temp='T_8001' />", "<ref temp='T_8001' />"},
      {"<ref temp=\"T_8001\">", "<ref temp=\"T_8001\">"},
      {"<reference /><ref", "<reference /><ref"},
  };
  for (const auto& [text, want] : rows) CHECK(Names().Reveal(text) == want);
}

TEST_CASE("grades are read line by line") {
  CHECK(ParseGrade("Score: 7/10\nreasoning: ok").score == 7);
  CHECK(ParseGrade("SCORE: 7\nSCORE: n/a").score == std::nullopt);
  CHECK(ParseGrade("SCORE: 7\nSCORE: none").score == 7);
  CHECK(ParseGrade("reasoning: a\n REASONING: b").reasoning == "b");
  CHECK(GradeNumber("85%") == 8.5);
  CHECK(GradeNumber("1.") == 1);
  CHECK(GradeNumber("") == std::nullopt);
}

TEST_CASE("a summary is what stands between its tags") {
  CHECK(Json(ParseSummary("no tags", Names())) ==
        R"({"keyFindings":[],"strengths":[],"weaknesses":[],"patterns":[]})");
  const Value summary = ParseSummary(
      "<key_finding> a </key_finding><key_finding></key_finding><topic>CODING</topic><topic>Cats</topic>"
      "<grades><grade maker=\"MK_5001\" model=\"MD_6000\" dimension=\"tone\">REASONING: why\nSCORE: 4</grade>"
      "<grade maker=\"MK_5001\" model=\"MD_6000\" dimension=\"fun\">SCORE: 4</grade>"
      "<grade maker=\"MK_5009\" model=\"MD_6000\" dimension=\"tone\">SCORE: 4</grade>",
      Names());
  CHECK(Json(*summary.Find("keyFindings")) == R"(["a"])");
  CHECK(Json(*summary.Find("autoTags")) == R"(["Coding","Cats"])");
  const List& grades = summary.Find("grades")->AsList();
  REQUIRE(grades.size() == 1);
  CHECK(grades[0].Find("modelId")->AsString() == "lab:tiny");
  CHECK(grades[0].Find("grades")->Find("tone")->AsNumber() == 4);
  CHECK(grades[0].Find("grades")->Find("safety")->is_null());
  CHECK(Json(*grades[0].Find("reasoning")) == R"({"tone":"why"})");
}

}  // namespace
}  // namespace assay::blueprint
