// Tests of judge verdicts as JSON: prompt and schema agree, and only a whole verdict counts.
#include "checks/judge/reading/json.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "spec/suite/case.h"
#include "text/json/json.h"

namespace assay {

TEST_CASE("the schema has the classes of the scale, and the prompt shows its shape") {
  const std::string schema = WriteJson(JudgeSchema(), JsonStyle::kJavaScript);
  CHECK(schema.starts_with(R"({"type":"object","properties":{"reflection":{"type":"string"},)"));
  for (const JudgeClass& each : JudgeScale()) CHECK(schema.find(each.name) != std::string::npos);
  const Transcript transcript{};
  const Case the_case{};
  const std::vector<Message> prompt = BuildJudgePrompt({.transcript = transcript,
                                                        .the_case = the_case,
                                                        .criterion = "it is polite",
                                                        .suite_description = {},
                                                        .approach = {},
                                                        .form = VerdictForm::kJson});
  CHECK(prompt.back().text.find(kJudgeJsonShape) != std::string::npos);
  CHECK(prompt.back().text.find("<reflection>") == std::string::npos);
  CHECK(JudgeRepairMessage(VerdictForm::kJson).find(kJudgeJsonShape) != std::string::npos);
}

TEST_CASE("a verdict is read whole or not at all") {
  const Result<JudgeVerdict> verdict =
      ParseJudgeJson(" {\"reflection\":\" fine \",\"classification\":\"CLASS_MAJOR\"}\n");
  REQUIRE(verdict);
  CHECK(verdict->score == 0.75);
  CHECK(verdict->reflection == "fine");
  CHECK(ParseJudgeJson(
      R"({"reflection":"it says \"classification\": CLASS_X","classification":"CLASS_EXACT"})"));
  for (const std::string_view text :
       {"", "CLASS_EXACT", "{}", R"({"reflection":"a"})", R"({"classification":"CLASS_EXACT"})",
        R"({"reflection":"a","classification":"CLASS_GOOD"})",
        R"({"reflection":1,"classification":"CLASS_EXACT"})",
        R"({"reflection":"a","classification":"CLASS_UNMET","classification":"CLASS_EXACT"})",
        R"({"reflection":"a","classification":"CLASS_UNMET","classific\u0061tion":"CLASS_EXACT"})",
        R"({"reflection":"a","\u0072eflection":"b","classification":"CLASS_EXACT"})",
        R"({"verdict":{"reflection":"a","classification":"CLASS_EXACT"}})",
        R"({"reflection":"a","classification":"CLASS_EXACT"} {"classification":"CLASS_UNMET"})",
        R"([{"reflection":"a","classification":"CLASS_EXACT"}])",
        "<reflection>a</reflection><classification>CLASS_EXACT</classification>"}) {
    CAPTURE(text);
    CHECK(!ParseJudgeJson(text));
  }
  for (const std::string_view beside :
       {R"({"classification":"CLASS_UNMET"})", R"(["CLASS_UNMET"])", R"({"CLASS_UNMET":1})", R"("UNMET")"}) {
    CAPTURE(beside);
    const Result<JudgeVerdict> doubted = ParseJudgeJson(
        fmt::format(R"({{"own":{},"reflection":"a","classification":"CLASS_EXACT"}})", beside));
    REQUIRE(!doubted);
    CHECK(doubted.error().code == ErrorCode::kRefused);
  }
}

}  // namespace assay
