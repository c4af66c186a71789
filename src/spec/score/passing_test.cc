// Tests of what passes: marks by the kinds of checks, shares of attempts.
#include "spec/score/passing.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {
namespace {

Case CaseOf(std::initializer_list<std::string_view> kinds) {
  Case the_case;
  for (const std::string_view kind : kinds) the_case.checks.emplace_back().kind = kind;
  return the_case;
}

TEST_CASE("yes-or-no checks and unit tests have to hold, all of them; a said mark holds for every case") {
  const PassRule rule;
  CHECK(rule.MarkOf(CaseOf({"icontains", "not_matches"})) == 1);
  CHECK(rule.MarkOf(CaseOf({"unit_test"})) == 1);
  CHECK(rule.MarkOf(CaseOf({"icontains", kJudgeKind})) == 0.5);
  CHECK(rule.MarkOf(CaseOf({"contains_all_of"})) == 0.5);  // gives a share
  CHECK(rule.MarkOf(CaseOf({"js"})) == 0.5);               // may give any number
  CHECK(rule.MarkOf(CaseOf({})) == 0.5);
  Case weightless = CaseOf({"icontains", kJudgeKind});
  weightless.checks[1].weight = 0;
  CHECK(rule.MarkOf(weightless) == 1);
  const PassRule said{.mark = 0.5, .is_said = true};
  CHECK(said.MarkOf(CaseOf({"icontains"})) == 0.5);
  CHECK(said.Passes(CaseOf({"icontains"}), 0.5));
  CHECK_FALSE(rule.Passes(CaseOf({"icontains"}), 0.99));
  // Thirds that add up to one.
  CHECK(rule.Passes(CaseOf({"icontains"}), 1.0 / 3 + 1.0 / 3 + 0.33333333333));
}

TEST_CASE("a case passes if a share of its scored attempts pass") {
  const PassRule half;
  struct Row {
    std::uint64_t passed, scored;
    bool passes;
  };
  for (const Row& row : {Row{1, 1, true}, Row{0, 1, false}, Row{1, 2, true}, Row{1, 3, false},
                         Row{2, 3, true}, Row{4, 8, true}, Row{3, 8, false}, Row{0, 0, false}}) {
    CAPTURE(row.passed);
    CAPTURE(row.scored);
    CHECK(half.CasePasses(row.passed, row.scored) == row.passes);
  }
  const PassRule all{.share = 1};
  CHECK_FALSE(all.CasePasses(7, 8));
  CHECK(all.CasePasses(8, 8));
  const PassRule tenth{.share = 0.1};
  CHECK(tenth.CasePasses(1, 10));
  CHECK_FALSE(tenth.CasePasses(0, 10));
  const std::vector<double> scores = {1, 0.5, 1};
  CHECK(half.CasePasses(CaseOf({"icontains"}), scores));
  CHECK_FALSE(half.CasePasses(CaseOf({"icontains"}), std::vector<double>{1, 0.5, 0.5}));
}

TEST_CASE("the words say only what there is") {
  Suite suite;
  suite.cases = {CaseOf({kJudgeKind})};
  const PassRule rule;
  CHECK(MarkWords(rule, suite) == "50 points or more (--pass-at 0.5)");
  suite.cases.push_back(CaseOf({"contains"}));
  CHECK(MarkWords(rule, suite) ==
        "50 points or more (--pass-at 0.5), 100 where all checks are yes-or-no or unit tests");
  CHECK(ShareWords(rule) == "at least half of its scored attempts pass (--pass-attempts)");
  CHECK(LeastShare({.share = 0.75}) == "at least 75 %");
}

TEST_CASE("a check whose arguments make it all or nothing is a yes-or-no check") {
  const auto is_yes_no = [](std::string_view kind, Value args) {
    Case the_case;
    Check& check = the_case.checks.emplace_back();
    check.kind = kind;
    check.args = std::move(args);
    return HasYesNoChecks(the_case);
  };
  CHECK(is_yes_no("count", Object{{"of", "words"}, {"at_most", 5}}));
  CHECK_FALSE(is_yes_no("count", Object{{"of", "words"}, {"at_most", 5}, {"graded", true}}));
  CHECK(is_yes_no("items", Object{{"want", List{}}}));
  CHECK_FALSE(is_yes_no("not_items", Object{{"want", List{}}, {"score", "f1"}}));
  CHECK(is_yes_no("edit_distance", Object{{"to", "x"}, {"at_most", 2}}));
  CHECK_FALSE(is_yes_no("edit_distance", Value("x")));
  CHECK(is_yes_no("not_rouge", Object{{"to", "x"}, {"at_least", 0.3}}));
  CHECK_FALSE(is_yes_no("rouge", Value("x")));
}

TEST_CASE(
    "the mark is the user's, else the suite's, else that of a file of settings, else that of the checks") {
  Case yes_no = CaseOf({"contains"});
  CHECK(PassRule{}.MarkOf(yes_no) == 1);
  CHECK(PassRule{.mark = 0.2, .is_said = true, .is_setting = true}.MarkOf(yes_no) == 0.2);
  yes_no.pass_at = 0.4;
  CHECK(PassRule{}.MarkOf(yes_no) == 0.4);
  CHECK(PassRule{.mark = 0.2, .is_said = true, .is_setting = true}.MarkOf(yes_no) == 0.4);
  CHECK(PassRule{.mark = 0.2, .is_said = true}.MarkOf(yes_no) == 0.2);
  Suite suite;
  suite.cases = {yes_no};
  CHECK(MarkWords({}, suite) == "40 points or more (pass: 0.4)");
  suite.cases[0].pass_at = 1;
  CHECK(MarkWords({}, suite) == "100 points or more (pass: all)");
  CHECK(PassRule{}.UsualMark(suite) == 1);
}

}  // namespace
}  // namespace assay
