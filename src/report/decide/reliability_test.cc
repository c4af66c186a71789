// Tests of reliability: judges with each other and with themselves, flaky cases.
#include "report/decide/reliability.h"

#include <doctest/doctest.h>

#include "spec/suite/suite.h"

namespace assay {
namespace {

constexpr CaseIndex kCases = 4;

Suite JudgedSuite(AttemptIndex attempts) {
  Suite suite;
  suite.attempts = attempts;
  suite.variants.emplace_back().id = "v";
  for (CaseIndex i = 0; i < kCases; ++i) {
    Case& the_case = suite.cases.emplace_back();
    the_case.id = std::string(1, static_cast<char>('a' + i));
    the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = the_case.id, .span = {}}};
    Check& check = the_case.checks.emplace_back();
    check.kind = kJudgeKind;
    check.text = "Is right";
  }
  return suite;
}

// Judge "a" always votes as the case is good, judge "b" a step below, "moody" now so, now so.
Cell Judged(CaseIndex index, AttemptIndex attempt, std::vector<double> moods, std::uint32_t against) {
  Cell cell;
  cell.case_index = index;
  cell.attempt = attempt;
  cell.state = CellState::kScored;
  cell.score = attempt == 1 && index == 2 ? 0 : 1;
  const double good = index / 4.0;
  Score score = Score::Of(good);
  score.evidence = {{.source = "a", .value = good, .text = "", .votes = {good, good}},
                    {.source = "b", .value = good + 0.125, .text = "", .votes = {good, good + 0.25}},
                    {.source = "moody", .value = moods[0], .text = "", .votes = moods, .against = against}};
  cell.record.scores.push_back(std::move(score));
  return cell;
}

Report ReportOver(const Suite& suite, std::vector<Cell> cells) {
  Report report;
  report.suite = &suite;
  report.for_each_cell = [cells = std::move(cells)](const CellRange&, CellParts,
                                                    const Report::Visitor& visit) -> Status {
    for (const Cell& cell : cells) ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  return report;
}

// By a walk of its own.
Result<Reliability> ReliabilityOf(const Report& report) {
  ReliabilityGatherer reliability(*report.suite, {});
  CellGatherer* const gatherers[] = {&reliability};
  ASSAY_CHECK_OK(GatherCells(report, gatherers));
  return reliability.Finish();
}

TEST_CASE("judges agree with themselves more or less, and words that speak against votes are counted") {
  const Suite suite = JudgedSuite(1);
  std::vector<Cell> cells;
  for (CaseIndex i = 0; i < kCases; ++i) cells.push_back(Judged(i, 0, {1, 0}, i == 0 ? 1 : 0));
  const auto result = ReliabilityOf(ReportOver(suite, std::move(cells)));
  REQUIRE(result);
  REQUIRE(result->judges.size() == 3);
  const JudgeReliability& firm = result->judges[0];
  const JudgeReliability& moody = result->judges[2];
  CHECK(firm.self.equal_pairs == 1);
  CHECK(firm.self.alpha == 1);
  CHECK(moody.self.equal_pairs == 0);
  CHECK(*moody.self.alpha < 0);
  CHECK(moody.votes == 8);
  CHECK(moody.against == 1);
  CHECK(*moody.against_rate.mean == doctest::Approx(0.125));
  CHECK(*moody.without.alpha > *result->agreement.alpha);  // the others agree better
  CHECK(result->sentence.starts_with("Judges cannot be shown to agree"));
  // Moody on each case, b where its two votes lie on both sides of the mark.
  REQUIRE(result->flaky.size() == 5);
  CHECK(result->flaky[1].judge == "b");
  CHECK(result->flaky[1].case_index == 1);
  CHECK(result->flaky[1].passed == 1);
  CHECK(result->variants.empty());  // one attempt each
}

TEST_CASE("of thousands of judges the first are told one by one, and all votes count in the agreement") {
  const Suite suite = JudgedSuite(1);
  constexpr std::size_t kMany = 5'000;
  std::vector<Cell> cells = {Judged(0, 0, {1, 0}, 0), Judged(1, 0, {1, 0}, 0)};
  for (Cell& cell : cells) {
    std::vector<Evidence>& voices = cell.record.scores[0].evidence;
    while (voices.size() < kMany)
      voices.push_back({.source = std::to_string(voices.size()), .value = 1, .text = ""});
  }
  const auto result = ReliabilityOf(ReportOver(suite, std::move(cells)));
  REQUIRE(result);
  CHECK(result->judges.size() == 50);
  CHECK(result->agreement.votes == 2 * kMany);
  CHECK(*result->agreement.equal_pairs > 0.99);
  CHECK_FALSE(result->judges[0].without.alpha.has_value());
}

TEST_CASE("of what should not be there, low votes pass") {
  Suite suite = JudgedSuite(1);
  for (Case& the_case : suite.cases) the_case.checks[0].invert = true;
  const auto result = ReliabilityOf(ReportOver(suite, {Judged(0, 0, {1, 0, 0}, 0)}));
  REQUIRE(result);
  REQUIRE(result->flaky.size() == 1);
  CHECK(result->flaky[0].passed == 2);
  CHECK(result->flaky[0].of == 3);
}

TEST_CASE("attempts that now pass and now fail make a case flaky") {
  Suite suite = JudgedSuite(2);
  std::vector<Cell> cells;
  for (CaseIndex i = 0; i < kCases; ++i) {
    for (AttemptIndex k = 0; k < 2; ++k) cells.push_back(Judged(i, k, {1, 1}, 0));
  }
  for (Case& the_case : suite.cases) the_case.checks[0].kind = "contains";
  const auto result = ReliabilityOf(ReportOver(suite, std::move(cells)));
  REQUIRE(result);
  CHECK(result->judges.empty());  // evidence of other checks is no vote
  REQUIRE(result->variants.size() == 1);
  CHECK(result->tries.used == 2);
  CHECK_FALSE(result->tries.scarce);
  CHECK(result->variants[0].left_out == 0);
  CHECK(*result->variants[0].passes.any.mean == 1);
  CHECK(*result->variants[0].passes.all.mean == 0.75);
  REQUIRE(result->flaky.size() == 1);
  CHECK(result->flaky[0].case_index == 2);
  CHECK(result->flaky[0].judge.empty());
  CHECK(result->flaky[0].of == 2);
}

}  // namespace
}  // namespace assay
