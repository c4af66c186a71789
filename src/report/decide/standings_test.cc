// Tests of standings: who is first.
#include "report/decide/standings.h"

#include <doctest/doctest.h>

#include <limits>

#include "report/decide/factors.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

Case CaseOf(std::string id, std::string prompt, std::string cluster = {}) {
  Case the_case;
  the_case.id = std::move(id);
  the_case.cluster = std::move(cluster);
  the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = std::move(prompt), .span = {}},
                    {.role = Role::kAssistant, .kind = TurnKind::kGenerate, .text = {}, .span = {}}};
  return the_case;
}

Suite SuiteOf(std::vector<Case> cases, std::vector<std::string> variants) {
  Suite suite;
  suite.cases = std::move(cases);
  for (std::string& id : variants) suite.variants.emplace_back().id = std::move(id);
  return suite;
}

// A report over cells that are given in plan order.
Report ReportOf(const Suite& suite, std::vector<Cell> cells) {
  Report report;
  report.suite = &suite;
  report.for_each_cell = [cells = std::move(cells)](const CellRange&, CellParts,
                                                    const Report::Visitor& visit) -> Status {
    for (const Cell& cell : cells) ASSAY_CHECK_OK(visit(cell));
    return Ok();
  };
  return report;
}

Cell Scored(CaseIndex case_index, VariantIndex variant, AttemptIndex attempt, double score) {
  Cell cell;
  cell.case_index = case_index;
  cell.variant = variant;
  cell.attempt = attempt;
  cell.state = CellState::kScored;
  cell.score = score;
  return cell;
}

Cell Without(CaseIndex case_index, VariantIndex variant, CellState state) {
  Cell cell = Scored(case_index, variant, 0, 0.5);
  cell.state = state;
  return cell;
}

TEST_CASE("a case counts once, however many of its attempts were scored") {
  const Suite suite = SuiteOf({CaseOf("a", "1"), CaseOf("b", "2"), CaseOf("c", "3")}, {"x"});
  const Report report = ReportOf(suite, {Scored(0, 0, 0, 1), Scored(0, 0, 1, 1), Scored(0, 0, 2, 1),
                                         Scored(1, 0, 0, 0), Without(2, 0, CellState::kPartial)});
  const auto standings = StandingsOf(report);
  REQUIRE(standings);
  REQUIRE(standings->ranking.places.size() == 1);
  const MeanEstimate& mean = standings->ranking.places[0].estimate;
  CHECK(*mean.mean == 0.5);  // over cells it would be 0.75
  CHECK(mean.cases == 2);
  CHECK(mean.cells == 4);
  CHECK(standings->scores.samples[0].left_out == LeftOutCounts{1, 0, 0, 0});
}

TEST_CASE("what has no finite score stays out and is counted, also cases that nobody was asked") {
  const Suite suite =
      SuiteOf({CaseOf("a", "1"), CaseOf("b", "2"), CaseOf("c", "3"), CaseOf("d", "4")}, {"x", "y"});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto scores =
      CaseScoresOf(ReportOf(suite, {Scored(0, 0, 0, nan), Without(0, 1, CellState::kError),
                                    Without(1, 0, CellState::kUnscored), Scored(2, 1, 0, 1)}));
  REQUIRE(scores);
  CHECK(scores->samples[0].left_out == LeftOutCounts{0, 1, 1, 0});
  CHECK(scores->samples[1].left_out == LeftOutCounts{0, 1, 0, 0});
  for (const Sample& sample : scores->samples) CHECK(sample.cases.size() == 4);
  CHECK(scores->samples[1].cases[2].value == 1);
}

TEST_CASE("cases of equal turns are one cluster, or what the author's cluster says") {
  const std::vector<Case> cases = {CaseOf("a", "same"),      CaseOf("b", "same"),
                                   CaseOf("c", "other"),     CaseOf("d", "same", "mine"),
                                   CaseOf("e", "x", "mine"), CaseOf("f", "mine")};
  CHECK(ClustersOf(cases) == std::vector<std::uint32_t>{0, 0, 1, 2, 2, 3});
}

TEST_CASE("weights are those of the means; a reducer gives the value of a case") {
  Suite suite = SuiteOf({CaseOf("a", "1"), CaseOf("b", "2")}, {"x"});
  suite.cases[0].weight = 3;
  suite.cases[1].full_score = 0;
  suite.aggregation.reduce = "max";
  const auto scores =
      CaseScoresOf(ReportOf(suite, {Scored(0, 0, 0, 0.25), Scored(0, 0, 1, 0.75), Scored(1, 0, 0, 1)}));
  REQUIRE(scores);
  CHECK(scores->weights == std::vector<double>{3, 0});
  CHECK(scores->samples[0].cases[0].value == 0.75);
  CHECK(EstimateMean(scores->samples[0], scores->design()).cases_left_out == 1);
}

TEST_CASE("the verdict names who leads") {
  std::vector<Case> cases;
  std::vector<Cell> cells;
  for (CaseIndex i = 0; i < 10; ++i) {
    cases.push_back(CaseOf(std::to_string(i), std::to_string(i)));
    cells.push_back(Scored(i, 0, 0, 0.2 + 0.01 * i));
    cells.push_back(Scored(i, 1, 0, 0.9 - 0.01 * i));
  }
  const Suite suite = SuiteOf(std::move(cases), {"low", "high"});
  const auto standings = StandingsOf(ReportOf(suite, std::move(cells)));
  REQUIRE(standings);
  CHECK(standings->ranking.places[0].variant == 1);
  CHECK(standings->ranking.places[1].rank == 2);
  CHECK(standings->verdict().starts_with("high leads low by 61 points"));
}

// Two models with two temperatures each, over eight cases.
Report OfModels(Suite& suite, const std::vector<std::vector<double>>& by_variant) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < by_variant.front().size(); ++i)
    cases.push_back(CaseOf("c" + std::to_string(i), "prompt " + std::to_string(i)));
  suite = SuiteOf(std::move(cases), {"a[0]", "a[1]", "b[0]", "b[1]"});
  for (std::size_t v = 0; v < suite.variants.size(); ++v) {
    suite.variants[v].model_id = v < 2 ? "a" : "b";
    suite.variants[v].params.temperature = static_cast<double>(v % 2);
  }
  suite.score_bounds = {.are_known = true, .low = 0, .high = 1};
  std::vector<Cell> cells;
  for (CaseIndex i = 0; i < by_variant.front().size(); ++i) {
    for (VariantIndex v = 0; v < by_variant.size(); ++v) cells.push_back(Scored(i, v, 0, by_variant[v][i]));
  }
  return ReportOf(suite, std::move(cells));
}

// A suite of so many cases, and scores by variant; below 0: an error.
std::string VerdictOf(const std::vector<std::vector<double>>& scores) {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < scores.front().size(); ++i)
    cases.push_back(CaseOf("c" + std::to_string(i), "q" + std::to_string(i)));
  std::vector<std::string> variants;
  for (std::size_t v = 0; v < scores.size(); ++v) variants.push_back("v" + std::to_string(v));
  const Suite suite = SuiteOf(std::move(cases), std::move(variants));
  std::vector<Cell> cells;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    for (VariantIndex v = 0; v < scores.size(); ++v) {
      cells.push_back(scores[v][i] < 0 ? Without(i, v, CellState::kError) : Scored(i, v, 0, scores[v][i]));
    }
  }
  return StandingsOf(ReportOf(suite, std::move(cells)))->verdict();
}

TEST_CASE("a verdict says what its words alone leave open") {
  // Their means in the table are 66.7 and 50.0.
  CHECK(
      VerdictOf({{1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1}, {1, 0, 1, 0, 1, 0, 1, 0, -1, -1, -1, -1}})
          .ends_with("; their means are equal. On the 8 cases that both have, each mean is 50.0; the table's "
                     "are over all cases of each."));
  CHECK(
      VerdictOf({{1, 0, 1, 0, 1, 0, 1, 0}, {0, 1, 0, 1, 0, 1, 0, 1}}).ends_with("; their means are equal."));
  // Eight of eight would do; seven of eight do not.
  CHECK(
      VerdictOf({{1, 1, 1, 1, 1, 1, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 1}})
          .ends_with("; too few cases changed (8) to rule out chance. 1 of these 8 goes the other way, which "
                     "leaves room for chance."));
  CHECK(VerdictOf({{1, 1, 1, 1, -1, -1, -1, -1}, {-1, -1, 1, 1, 1, 1, -1, -1}, {-1, -1, -1, -1, 1, 1, 1, 1}})
            .ends_with(" No two variants both have a score on more than 2 of the 8 cases."));
}

TEST_CASE("of models times parameters the sentence is about the models") {
  const std::vector<double> good(12, 1);
  const std::vector<double> bad(12, 0);
  Suite suite;
  const auto clear = StandingsOf(OfModels(suite, {good, good, bad, bad}));
  REQUIRE(clear);
  CHECK(clear->verdict() == "a leads b by 100 points (no spread, so no interval) on 12 cases.");
  const auto tied = StandingsOf(OfModels(suite, {good, good, good, good}));
  REQUIRE(tied);
  CHECK(tied->verdict().starts_with("a and b are not shown to differ: "));
  CHECK(tied->verdict().find("temperature") == std::string::npos);
}

TEST_CASE("a second sentence follows where the variants say something else") {
  const std::vector<double> good(12, 1);
  const std::vector<double> bad(12, 0);
  Suite suite;
  const auto mixed = StandingsOf(OfModels(suite, {good, bad, good, bad}));
  REQUIRE(mixed);
  CHECK(mixed->verdict().starts_with("a and b are not shown to differ: "));
  CHECK(mixed->verdict().find(". a (temperature 0) and b (temperature 0) are not shown to differ: ") !=
        std::string::npos);
}

TEST_CASE("profiles of a matrix are compared as profiles") {
  const std::vector<double> good(12, 1);
  const std::vector<double> bad(12, 0);
  Suite suite;
  Report report = OfModels(suite, {good, good, bad, bad});
  for (Variant& variant : suite.variants) {
    variant.profile.emplace().id = variant.id;
    variant.model = variant.model_id;
    variant.label = variant.id == suite.variants.front().id ? "First" : "";
  }
  const auto standings = StandingsOf(report);
  REQUIRE(standings);
  CHECK(!standings->models.AreTimesParameters());
  CHECK(standings->verdict().find("First") != std::string::npos);
  CHECK(SpokenNames(suite)[0] == "First");
  CHECK(SpokenNames(suite)[1] == suite.variants[1].id);
  // Two labels that are equal tell nobody apart.
  for (Variant& variant : suite.variants) variant.label = "Same";
  CHECK(SpokenNames(suite)[0] == suite.variants[0].id);
  // They differ in more than their temperature.
  CHECK(!FactorEffects(suite, standings->scores).empty());
  suite.variants[0].profile->lean = true;
  suite.variants[2].profile->lean = true;
  CHECK(FactorEffects(suite, standings->scores).empty());
}

}  // namespace
}  // namespace assay
