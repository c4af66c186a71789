// Tests of the plan's index arithmetic: every step has one index and comes back from it, whatever the cases
// look like.
#include "plan/plan.h"

#include <doctest/doctest.h>

#include <set>

#include "spec/suite/suite.h"

namespace assay {

namespace {

Suite MakeSuite() {
  Suite suite;
  for (int i = 0; i < 4; ++i) {
    Case the_case;
    the_case.id = std::string(1, static_cast<char>('a' + i));
    the_case.turns.push_back({.role = Role::kUser, .kind = TurnKind::kText, .text = "hi", .span = {}});
    the_case.turns.push_back({.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}});
    for (int c = 0; c < i; ++c) {
      Check check;
      check.kind = "judge";
      check.text = "criterion";
      the_case.checks.push_back(check);
    }
    suite.cases.push_back(the_case);
  }
  suite.cases[1].variants.edit() = {0, 2};
  for (int i = 0; i < 3; ++i) {
    Variant variant;
    variant.id = "m" + std::to_string(i);
    variant.provider = "echo";
    suite.variants.push_back(variant);
  }
  suite.judges.resize(2);
  suite.backup_judge.emplace();
  suite.attempts = 3;
  return suite;
}

std::shared_ptr<const Plan> Build(Suite suite) {
  Diagnostics diagnostics;
  auto plan = Plan::Build(std::move(suite), {}, diagnostics);
  REQUIRE(plan != nullptr);
  return plan;
}

}  // namespace

TEST_CASE("cells and steps are numbered without gaps") {
  const auto plan = Build(MakeSuite());
  CHECK(plan->CellCount() == (3 + 2 + 3 + 3) * 3);
  // Slots: generate, one per judged check, grade.
  CHECK(plan->StepCount() == 3 * (3 * 2 + 2 * 3 + 3 * 4 + 3 * 5));
  for (CellIndex i = 0; i < plan->CellCount(); ++i) CHECK(plan->IndexOf(plan->CellAt(i)) == i);
  std::set<std::string> names;
  for (StepIndex i = 0; i < plan->StepCount(); ++i) {
    CHECK(plan->IndexOf(plan->StepAt(i)) == i);
    names.insert(plan->StepName(i));
  }
  CHECK(names.size() == plan->StepCount());
  CHECK(plan->CellAt(3 * 3).variant == 0);
  CHECK(plan->CellAt(3 * 3 + 3).variant == 2);
}

TEST_CASE("a case that can never be scored is warned about") {
  const auto warnings = [](std::vector<std::string> kinds) {
    Suite suite = MakeSuite();
    suite.cases.resize(1);
    for (const std::string& kind : kinds) suite.cases[0].checks.emplace_back().kind = kind;
    Diagnostics diagnostics;
    Plan::Build(std::move(suite), {}, diagnostics);
    std::string codes;
    for (const Diagnostic& warning : diagnostics.All()) codes += warning.code + " ";
    return codes;
  };
  CHECK(warnings({}).empty());
  CHECK(warnings({"no_such"}) == "check.unknown ");
  CHECK(warnings({"no_such", "nor_this"}) == "check.unknown check.unknown plan.never-scores ");
  CHECK(warnings({"no_such", "is_json"}) == "check.unknown ");
  CHECK(warnings({"no_such", "judge"}) == "check.unknown ");
}

TEST_CASE("cases of the same checks share what they are planned as; a word about one is said at each place") {
  Suite suite = MakeSuite();
  suite.cases.resize(1);
  suite.cases[0].checks.clear();
  const auto add = [&suite](const char* kind, Value args) {
    Case& the_case = suite.cases.emplace_back(suite.cases[0]);
    the_case.id = std::to_string(suite.cases.size());
    Check& check = the_case.checks.emplace_back();
    check.kind = kind;
    check.args = std::move(args);
    check.text = "shown alike";
    check.span.offset = static_cast<std::uint32_t>(suite.cases.size());
  };
  add("contains", Value("a"));
  add("contains", Value("a"));
  add("contains", Value("b"));
  add("no_such", Value("a"));
  add("no_such", Value("a"));
  Diagnostics diagnostics;
  const auto plan = Plan::Build(std::move(suite), {}, diagnostics);
  REQUIRE(plan != nullptr);
  CHECK(&plan->case_plan(1) == &plan->case_plan(2));
  CHECK(&plan->case_plan(1) != &plan->case_plan(3));
  CHECK(plan->case_plan(1).checks[0].args != plan->case_plan(3).checks[0].args);
  CHECK(plan->StepAt(plan->IndexOf(plan->StepAt(3))) == plan->StepAt(3));
  CHECK(diagnostics.WarningCount() == 2);
}

TEST_CASE("inputs of a step are lower slots") {
  const auto plan = Build(MakeSuite());
  for (const StepTemplate& step : plan->case_plan(3).slots) {
    for (const SlotIndex input : step.inputs) CHECK(&plan->case_plan(3).slots[input] < &step);
  }
  CHECK(plan->case_plan(3).slots[kAnswerSlot].kind == StepKind::kGenerate);
  CHECK(plan->case_plan(3).slots.back().kind == StepKind::kGrade);
  CHECK(plan->case_plan(3).slots.back().inputs.size() == 1 + 3);
}

TEST_CASE("pools are per provider, judges apart") {
  Suite suite = MakeSuite();
  suite.judges[0].provider = suite.judges[1].provider = suite.backup_judge->provider = "echo";
  suite.concurrency = 7;
  const auto plan = Build(suite);
  REQUIRE(plan->pools().size() == 2);
  CHECK(plan->pools()[plan->PoolOf(RequestRole::kCandidate, "echo")].name == "echo");
  CHECK(plan->pools()[plan->PoolOf(RequestRole::kJudge, "echo")].name == "judge:echo");
  CHECK(plan->pools()[0].max_in_flight == 7);
}

// Each judge of each point was counted as a step, though a point is one step however many judge it.
TEST_CASE("a point is one step, however many judge it") {
  Suite suite = MakeSuite();
  suite.judges.resize(1'000);
  suite.cases[3].checks.resize(4'000, suite.cases[3].checks.front());
  Diagnostics diagnostics;
  const auto plan = Plan::Build(std::move(suite), {}, diagnostics);
  REQUIRE(plan != nullptr);
  CHECK(plan->case_plan(3).slots.size() <= 4'002);
}

TEST_CASE("a thousand unknown checks of one name are told once, with the name that is near") {
  Suite suite = MakeSuite();
  suite.dialect = "blueprint";
  Check unknown;
  unknown.kind = "contans";
  suite.cases[3].checks.assign(1'000, unknown);
  Diagnostics diagnostics;
  CHECK(Plan::Build(std::move(suite), {}, diagnostics) != nullptr);
  REQUIRE(!diagnostics.All().empty());
  CHECK(diagnostics.All().front().code == "check.unknown");
  CHECK(diagnostics.All().front().hint.find("\"contains\"") != std::string::npos);
}

}  // namespace assay
