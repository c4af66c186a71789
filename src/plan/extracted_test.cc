// Tests of graded parts of answers: what functions see, what counts where nothing is found, and what is marked.
#include "plan/extracted.h"

#include <doctest/doctest.h>

#include "plan/steps.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"

namespace assay {

namespace {

Check Extracting(std::string kind, std::string_view args, std::string_view extract) {
  Check check;
  check.kind = std::move(kind);
  check.args = *ParseJson(args);
  if (!extract.empty()) check.extract = *ParseJson(extract);
  return check;
}

// The scores that an answer gets of the checks.
std::vector<Score> ScoresOf(const std::vector<Check>& checks, std::string answer) {
  Suite suite;
  suite.refuses_unusable = true;
  suite.variants.emplace_back().provider = "echo";
  Case& the_case = suite.cases.emplace_back();
  the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = "hi", .span = {}},
                    {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
  the_case.checks = checks;
  the_case.row = *ParseJson(R"({"wanted": 72})");
  Diagnostics diagnostics;
  const auto plan = Plan::Build(std::move(suite), {}, diagnostics);
  REQUIRE(plan != nullptr);
  Transcript transcript;
  transcript.answer = answer;
  transcript.generated_texts = {answer};
  const StepOutcome generated = Done{transcript};
  const std::vector<const StepOutcome*> inputs = {&generated};
  WorkerState worker;
  const RunContext run;
  const StepContext context{.suite = plan->suite(), .inputs = inputs, .run = run, .worker = worker};
  const Action action = NextOf(*plan, plan->case_plan(0).slots.back(), context, {});
  return std::get<AttemptRecord>(std::get<Done>(action).value).scores;
}

}  // namespace

TEST_CASE("extracted: functions see the part, and the whole where the suite says so") {
  const std::vector<Score> scores =
      ScoresOf({Extracting("equals", R"("72")", R"({"number":"last"})"), Extracting("equals", R"("72")", ""),
                Extracting("js", R"("r === '72' && answer.startsWith('It') && row.wanted === 72")",
                           R"({"number":"last"})"),
                Extracting("tool_call_count_between", "[0, 0]", R"({"number":"last"})")},
               "It is 72.");
  REQUIRE(scores.size() == 4);
  CHECK(scores[0].value == 1);
  CHECK(scores[0].marks == std::vector<TextRange>{{6, 8}});
  CHECK(scores[1].value == 0);
  CHECK(scores[2].value == 1);
  CHECK(scores[3].value == 1);
}

TEST_CASE("extracted: without an answer every function point is 0, turned around or not") {
  Check should_not = Extracting("equals", R"("72")", R"({"number":"last"})");
  should_not.invert = true;
  const std::vector<Score> scores = ScoresOf(
      {Extracting("not_equals", R"("72")", R"({"number":"last"})"), should_not,
       Extracting("not_contains", R"("x")", ""),
       Extracting("ifeval", R"({"ids":["punctuation:no_comma"],"kwargs":[{}]})", R"({"number":"last"})")},
      "I do not know.");
  REQUIRE(scores.size() == 4);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(scores[i].state == ScoreState::kScored);
    CHECK(scores[i].value == 0);
    CHECK(scores[i].found_nothing);
    CHECK(scores[i].explanation == "no answer found");
  }
  CHECK(scores[2].value == 1);
  CHECK_FALSE(scores[2].found_nothing);
  CHECK(scores[3].value == 1);
}

}  // namespace assay
