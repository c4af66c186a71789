// Tests that a gate ends when nothing can change its outcome any more, and not a case before: against every
// way in which the cases that are left may come out.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "report/decide/until/stop_course.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

constexpr std::size_t kGatedCases = 6;
// What a case may come to: no score, or one of these.
constexpr std::array kCourseOutcomes = {CellOutcome{.state = CellState::kError},
                                        CellOutcome{.state = CellState::kScored, .value = 0},
                                        CellOutcome{.state = CellState::kScored, .value = 0.5},
                                        CellOutcome{.state = CellState::kScored, .value = 1}};
using CourseOutcomes = std::array<std::size_t, kGatedCases>;  // indices into kCourseOutcomes, by case

Suite GatedSuite(const std::vector<double>& weights) {
  Suite suite;
  suite.id = "gated";
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Case one;
    one.id = fmt::format("case-{}", i);
    Turn turn;
    turn.text = fmt::format("Question {}", i);
    one.turns = {turn};
    one.weight = weights[i];
    suite.cases.push_back(std::move(one));
  }
  Variant variant;
  variant.id = variant.model_id = "echo:a";
  variant.provider = "echo";
  variant.model = "a";
  suite.variants.push_back(variant);
  return suite;
}

StopRule RuleOfGate(const Suite& suite, const StopGate& gate) {
  const std::vector<StopGate> gates = {gate};
  Result<std::optional<StopRule>> rule = StopRuleOf(suite, RunSpec(), std::span<const StopGate>(gates));
  REQUIRE(rule.has_value());
  REQUIRE(rule->has_value());
  return **std::move(rule);
}

// What the whole run's gate says of these outcomes.
CertainState WholeOutcome(const Suite& suite, const StopGate& gate, const CourseOutcomes& outcomes) {
  double sum = 0;
  double weights = 0;
  std::size_t failed = 0;
  std::size_t flipped = 0;
  std::size_t lacking = 0;
  for (CaseIndex i = 0; i < kGatedCases; ++i) {
    const CellOutcome& outcome = kCourseOutcomes[outcomes[i]];
    const bool is_counted = std::find(gate.cases.begin(), gate.cases.end(), i) != gate.cases.end();
    if (outcome.state == CellState::kError) {
      ++failed;
      lacking += is_counted ? 1 : 0;
      continue;
    }
    flipped += is_counted && !gate.pass.Passes(suite.cases[i], outcome.value) ? 1 : 0;
    sum += suite.cases[i].weight * outcome.value;
    weights += suite.cases[i].weight;
  }
  switch (gate.kind) {
    case StopGate::Kind::kErrors:
      return static_cast<double>(failed) > gate.limit ? CertainState::kFails : CertainState::kHolds;
    case StopGate::Kind::kFlips:
      if (static_cast<double>(flipped) > gate.limit) return CertainState::kFails;
      return static_cast<double>(flipped + lacking) > gate.limit ? CertainState::kCannotTell
                                                                 : CertainState::kHolds;
    default:
      return weights > 0 && sum / weights >= gate.limit ? CertainState::kHolds : CertainState::kFails;
  }
}

// Until `visit` returns false; whether it never did.
bool ForEachRest(const CourseOutcomes& start, const std::vector<std::uint32_t>& order, std::size_t from,
                 const std::function<bool(const CourseOutcomes&)>& visit) {
  if (from == order.size()) return visit(start);
  for (std::size_t outcome = 0; outcome < kCourseOutcomes.size(); ++outcome) {
    CourseOutcomes next = start;
    next[order[from]] = outcome;
    if (!ForEachRest(next, order, from + 1, visit)) return false;
  }
  return true;
}

// The state that all ways have in common; open: there is none.
CertainState CommonOutcome(const Suite& suite, const StopGate& gate, const StopRule& rule,
                           const CourseOutcomes& outcomes, std::size_t known) {
  std::optional<CertainState> common;
  const bool is_common = ForEachRest(outcomes, rule.asking, known, [&](const CourseOutcomes& whole) {
    const CertainState state = WholeOutcome(suite, gate, whole);
    if (!common) common = state;
    return *common == state;
  });
  return is_common ? *common : CertainState::kOpen;
}

void TakeAt(const StopRule& rule, std::size_t place, const CourseOutcomes& outcomes, StopScores& scores) {
  const CaseIndex index = rule.asking[place];
  scores.Take({.case_index = index, .variant = 0, .attempt = 0}, kCourseOutcomes[outcomes[index]]);
}

// Follows one order of answers and compares after each of them.
void CheckCourse(const Suite& suite, const StopGate& gate, const StopRule& rule,
                 const CourseOutcomes& outcomes) {
  StopScores scores(suite, rule.pass);
  StopCourse course(rule);
  const auto nobody = [](VariantIndex) { return false; };
  for (std::size_t known = 0; known <= kGatedCases; ++known) {
    course.Follow(scores, nobody);
    const CertainCourse& certain = course.questions()[0].certain;
    const CertainState expected = CommonOutcome(suite, gate, rule, outcomes, known);
    CAPTURE(known);
    REQUIRE(CertainStateName(certain.state()) == CertainStateName(expected));
    if (course.is_closed()) return;
    TakeAt(rule, known, outcomes, scores);
  }
  FAIL("it never ended");
}

void CheckEveryCourse(const std::vector<double>& weights, const StopGate& gate) {
  const Suite suite = GatedSuite(weights);
  const StopRule rule = RuleOfGate(suite, gate);
  // Every fifth of all 4,096, since each of them looks at all ways again.
  std::size_t count = 0;
  ForEachRest({}, rule.asking, 0, [&](const CourseOutcomes& outcomes) {
    if (count++ % 5 == 0) CheckCourse(suite, gate, rule, outcomes);
    return true;
  });
}

TEST_CASE("a mean is decided as soon as the lowest and the highest rest agree") {
  for (const double least : {0.0, 0.25, 0.5, 2.0 / 3, 1.0}) {
    CAPTURE(least);
    const StopGate gate{.kind = StopGate::Kind::kLeast, .limit = least, .text = "x"};
    CheckEveryCourse({1, 1, 1, 1, 1, 1}, gate);
    CheckEveryCourse({1, 2, 0.5, 3, 1, 0.1}, gate);
  }
}

TEST_CASE("flips are decided as soon as those that are left cannot be too many, or too few") {
  for (const double most : {0.0, 1.0, 3.0, 4.0}) {
    CAPTURE(most);
    CheckEveryCourse({1, 1, 1, 1, 1, 1},
                     {.kind = StopGate::Kind::kFlips, .limit = most, .text = "x", .cases = {0, 2, 3, 5}});
  }
}

TEST_CASE("errors are decided as soon as those that are left cannot be too many") {
  for (const double most : {0.0, 1.5, 5.0, 6.0}) {
    CAPTURE(most);
    CheckEveryCourse({1, 1, 1, 1, 1, 1}, {.kind = StopGate::Kind::kErrors, .limit = most, .text = "x"});
  }
}

TEST_CASE("what another gate has failed by needs no count of errors") {
  const Suite suite = GatedSuite(std::vector<double>(kGatedCases, 1.0));
  const std::vector<StopGate> gates = {{.kind = StopGate::Kind::kLeast, .limit = 0.9, .text = "0.9"},
                                       {.kind = StopGate::Kind::kErrors, .limit = 1, .text = "1"}};
  const auto rule = StopRuleOf(suite, RunSpec(), std::span<const StopGate>(gates));
  REQUIRE((rule && *rule));
  StopScores scores(suite);
  StopCourse course(**rule);
  TakeAt(**rule, 0, {1, 1, 1, 1, 1, 1}, scores);
  course.Follow(scores, [](VariantIndex) { return false; });
  CHECK(course.is_closed());
  CHECK(course.questions()[0].HasFailed());
  CHECK(course.questions()[1].certain.state() == CertainState::kMoot);
}

}  // namespace
}  // namespace assay
