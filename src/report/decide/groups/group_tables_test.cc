// Tests of group tables: which case stands in which group, and what each part comes to.
#include "report/decide/groups/group_tables.h"

#include <doctest/doctest.h>

#include "report/decide/groups/group_comparison.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {
namespace {

Case CaseIn(std::string id, std::vector<std::string> groups, std::vector<std::string> tags = {}) {
  Case the_case;
  the_case.id = std::move(id);
  the_case.turns = {{.role = Role::kUser, .kind = TurnKind::kText, .text = the_case.id, .span = {}}};
  the_case.groups = std::move(groups);
  the_case.tags = std::move(tags);
  return the_case;
}

Suite FiveCases() {
  Suite suite;
  suite.cases = {CaseIn("a", {"law", "easy"}, {"x", "x"}), CaseIn("b", {"law"}),
                 CaseIn("c", {"art", "hard"}, {"x"}), CaseIn("d", {}), CaseIn("e", {"", "easy"}, {"y"})};
  suite.variants.resize(2);
  suite.variants[0].id = suite.variants[0].model_id = "one";
  suite.variants[1].id = suite.variants[1].model_id = "two";
  return suite;
}

// Scores by variant and case; less than 0: none.
RunStatistics StatisticsOf(const Suite& suite, const std::vector<std::vector<double>>& scores) {
  StatisticsGatherer gatherer(suite, {});
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    for (VariantIndex v = 0; v < scores.size(); ++v) {
      Cell cell;
      cell.case_index = i;
      cell.variant = v;
      cell.state = scores[v][i] < 0 ? CellState::kError : CellState::kScored;
      cell.score = scores[v][i];
      REQUIRE(gatherer.Add(cell).has_value());
    }
  }
  return *gatherer.Finish();
}

TEST_CASE("each dimension splits all cases, those without a group last") {
  const std::vector<GroupSplit> splits = SplitsOf(FiveCases(), GroupBy::kGroup);
  REQUIRE(splits.size() == 2);
  CHECK(splits[0].by == "group");
  CHECK(splits[0].names == std::vector<std::string>{"law", "art", "(none)"});
  CHECK(splits[0].of == std::vector<std::uint32_t>{0, 0, 1, 2, 2});
  CHECK(splits[1].by == "group.2");
  CHECK(splits[1].names == std::vector<std::string>{"easy", "hard", "(none)"});
  CHECK(splits[1].of == std::vector<std::uint32_t>{0, 2, 1, 2, 0});
}

TEST_CASE("tags overlap, and a case stands once in each of its tags") {
  const std::vector<GroupSplit> splits = SplitsOf(FiveCases(), GroupBy::kTag);
  REQUIRE(splits.size() == 1);
  CHECK(splits[0].overlaps());
  CHECK(splits[0].names == std::vector<std::string>{"x", "y"});
  CHECK(splits[0].cases == std::vector<std::vector<std::uint32_t>>{{0, 2}, {4}});
}

TEST_CASE("languages are those that cases of InfiBench tell; without any there is no table") {
  Suite suite = FiveCases();
  CHECK(SplitsOf(suite, GroupBy::kLang).empty());
  suite.cases[1].details = Object{{"fields", Object{{"lang", "rust"}}}};
  CHECK(SplitsOf(suite, GroupBy::kLang).at(0).names == std::vector<std::string>{"rust", "(none)"});
}

TEST_CASE("means, pass rates and what is left out are of the group") {
  const Suite suite = FiveCases();
  const RunStatistics statistics = StatisticsOf(suite, {{1, 0.4, 0.6, -1, 1}, {0, 0, 0, 0, 0}});
  const std::vector<GroupTable> tables = GroupTablesOf(suite, statistics, GroupBy::kGroup);
  const VariantGroups& one = tables.at(0).variants.at(0);
  CHECK(*one.groups[0].score.mean == doctest::Approx(0.7));
  CHECK(*one.groups[0].passes.mean == doctest::Approx(0.5));  // from 0.5 up
  CHECK(one.groups[2].score.cases == 1);
  CHECK(one.groups[2].left_out == 1);
  CHECK(*one.micro.score.mean == doctest::Approx(0.75));
  CHECK(one.micro.left_out == 1);
  REQUIRE(one.macro);
  CHECK(*one.macro->score.mean == doctest::Approx((0.7 + 0.6 + 1) / 3));
  CHECK(one.macro->score.why == Why::kOneCase);
  CHECK_FALSE(GroupTablesOf(suite, statistics, GroupBy::kTag).at(0).variants.at(0).macro);
}

TEST_CASE("a comparison by group counts the cases that both have, and corrects p for the groups") {
  Suite suite;
  for (int i = 0; i < 16; ++i)
    suite.cases.push_back(CaseIn("c" + std::to_string(i), {i < 8 ? "law" : "art"}));
  suite.variants.resize(2);
  std::vector<std::vector<double>> scores(2);
  for (int i = 0; i < 16; ++i) {
    scores[0].push_back(i == 15 ? -1 : 1);
    scores[1].push_back(i < 8 ? 0.5 - i * 0.01 : 1);
  }
  const RunStatistics statistics = StatisticsOf(suite, scores);
  Contender a{.name = "a", .suite = &suite, .scores = &statistics.standings.scores, .variant = 0};
  a.passes = &statistics.reliability.passes;
  Contender b = a;
  b.variant = 1;
  const CasePairing pairing = PairCases(a.cases(), b.cases(), PairBy::kWholeCase);
  const std::vector<GroupDifferences> tables = CompareGroups(a, b, pairing.pairs, GroupBy::kGroup);
  REQUIRE(tables.size() == 1);
  REQUIRE(tables[0].groups.size() == 2);
  const GroupDifference& law = tables[0].groups[0];
  CHECK(law.paired.wins == 8);
  CHECK(*law.p == doctest::Approx(2 * *law.paired.p));
  CHECK(tables[0].groups[1].paired.cases == 7);
  CHECK(*tables[0].macro->difference.mean == doctest::Approx(*law.paired.difference / 2));
  CHECK(*tables[0].micro.pass_rate_b < 1);
}

}  // namespace
}  // namespace assay
