// Tests of the page's counts: failures by kind, votes by judge, the axes of variants, and which alternative
// counts.
#include "report/page/tally.h"

#include <doctest/doctest.h>

#include "report/page/parts.h"

namespace assay {
namespace {

Score Voted(std::vector<double> votes) {
  Score score = Score::Of(0.5);
  for (std::size_t i = 0; i < votes.size(); ++i)
    score.evidence.push_back({"j" + std::to_string(i), votes[i], ""});
  return score;
}

Pair PairOf(CaseIndex case_index, std::string error, std::vector<Score> scores) {
  Pair pair;
  pair.case_index = case_index;
  pair.shown.transcript.error = std::move(error);
  pair.shown.scores = std::move(scores);
  return pair;
}

TEST_CASE("failures that differ in digits only are one kind") {
  PageTally tally;
  tally.Add(PairOf(3, "HTTP 503 after 3 tries", {}));
  tally.Add(PairOf(4, "HTTP 500 after 12 tries", {}));
  tally.Add(PairOf(5, "HTTP 500 after a try", {}));
  tally.Add(PairOf(6, "", {Score::Failure("HTTP 500 after 12 tries"), Score::Of(1)}));
  Score partial = Voted({1});
  partial.error = "1 of 2 judges failed";
  tally.Add(PairOf(7, "", {partial}));
  REQUIRE(tally.faults.size() == 4);
  CHECK(tally.faults[0].count == 2);
  CHECK(tally.faults[0].case_index == 3);
  CHECK(tally.faults[1].message == "HTTP 500 after a try");
  CHECK(tally.faults[2].of == Fault::Of::kPoint);
  CHECK(tally.faults[3].of == Fault::Of::kVote);
}

TEST_CASE("points of an answer that is not there are no failures of their own") {
  PageTally tally;
  tally.Add(
      PairOf(0, "no network", {Score::Failure("there is no answer"), Score::Failure("there is no answer")}));
  REQUIRE(tally.faults.size() == 1);
  CHECK(tally.faults[0].of == Fault::Of::kAnswer);
}

TEST_CASE("kinds of failures are bounded, and what is beyond is counted") {
  PageTally tally;
  for (int i = 0; i < 200; ++i) tally.Add(PairOf(0, std::string(static_cast<std::size_t>(i) + 1, 'x'), {}));
  CHECK(tally.faults.size() + tally.more_faults == 200);
  CHECK(tally.more_faults > 0);
}

TEST_CASE("votes by judge") {
  PageTally tally;
  tally.Add(PairOf(0, "", {Voted({1, 0.5}), Voted({0.5, 0.5}), Voted({1}), Score::Of(1)}));
  REQUIRE(tally.judges.size() == 2);
  CHECK(tally.judges[0].votes == 3);
  CHECK(tally.judges[0].sum == 2.5);
  CHECK(tally.judges[0].distance == 0.25);
  CHECK(tally.judged == 2);
  CHECK(tally.split == 1);
  CHECK_FALSE(JudgesDisagree(Voted({0.25, 0.625})));
  CHECK(JudgesDisagree(Voted({0.875, 0.5, 0.375})));
  CHECK_FALSE(JudgesDisagree(Score::Of(1)));
}

TEST_CASE("axes of the variants") {
  Suite suite;
  for (const auto& [system, temperature] : std::initializer_list<std::pair<const char*, double>>{
           {"", 0}, {"Be brief.", 0}, {"", 0.5}, {"Be brief.", 0.5}}) {
    Variant& variant = suite.variants.emplace_back();
    if (*system != 0) variant.system = system;
    variant.params.temperature = temperature;
  }
  suite.variants.emplace_back();
  const VariantAxis systems = SystemsOf(suite);
  CHECK(systems.values == std::vector<std::string>{"", "Be brief."});
  CHECK(systems.value_of == std::vector<std::uint32_t>{0, 1, 0, 1, 0});
  const VariantAxis temperatures = TemperaturesOf(suite);
  CHECK(temperatures.values == std::vector<std::string>{"0", "0.5", ""});
  CHECK(temperatures.value_of == std::vector<std::uint32_t>{0, 0, 1, 1, 2});
}

TEST_CASE("the best alternative is the first with the highest weighted mean") {
  Case the_case;
  the_case.checks.resize(4);
  the_case.checks[1].weight = 3;
  CheckNode any;
  any.op = CheckNode::Op::kAny;
  for (const std::vector<CheckIndex>& path : {std::vector<CheckIndex>{0, 1}, {2}, {3}}) {
    CheckNode& node = any.children.emplace_back();
    for (const CheckIndex check : path) {
      CheckNode& leaf = node.children.emplace_back();
      leaf.op = CheckNode::Op::kLeaf;
      leaf.check = check;
    }
  }
  struct Row {
    std::vector<std::optional<double>> points;
    std::size_t child;
    double mean;
  };
  const Row rows[] = {{{0.0, 1.0, 0.7, 0.7}, 0, 0.75},
                      {{1.0, 0.0, 0.7, 0.7}, 1, 0.7},
                      {{std::nullopt, std::nullopt, std::nullopt, 0.0}, 2, 0},
                      {{1.0, std::nullopt, 0.7, 0.7}, 0, 1}};
  for (const Row& row : rows) {
    Pair pair;
    pair.points = row.points;
    const std::optional<BestPath> best = BestPathOf(any, the_case, pair);
    REQUIRE(best.has_value());
    CHECK(best->child == row.child);
    CHECK(best->mean == row.mean);
  }
  Pair nothing;
  nothing.points.resize(4);
  CHECK_FALSE(BestPathOf(any, the_case, nothing).has_value());
}

}  // namespace
}  // namespace assay
