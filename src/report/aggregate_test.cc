// Tests of the blueprint aggregation formulas: the default beside the original.
#include "report/aggregate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {
namespace {

struct Point {
  double value = 0;
  double weight = 1;
  ScoreState state = ScoreState::kScored;
};
const Point kFailed{0, 1, ScoreState::kError};
const Point kUnscored{0, 1, ScoreState::kUnscored};

using Path = std::vector<Point>;

// A case as the blueprint reader builds it: required points, then one kAny node for each block's
// alternatives.
struct Fixture {
  Case the_case;
  std::vector<Score> scores;

  explicit Fixture(const Path& required, const std::vector<Path>& should = {},
                   const std::vector<Path>& should_not = {}) {
    for (const Point& point : required) the_case.tree.children.push_back(Leaf(point));
    AddBlock(should);
    AddBlock(should_not);
  }

  CheckNode Leaf(const Point& point) {
    Check check;
    check.weight = point.weight;
    the_case.checks.push_back(check);
    Score score;
    score.state = point.state;
    score.value = point.value;
    scores.push_back(score);
    CheckNode node;
    node.op = CheckNode::Op::kLeaf;
    node.check = static_cast<CheckIndex>(scores.size() - 1);
    return node;
  }

  void AddBlock(const std::vector<Path>& paths) {
    if (paths.empty()) return;
    CheckNode any;
    any.op = CheckNode::Op::kAny;
    for (const Path& path : paths) {
      CheckNode all;
      all.label = "path_" + std::to_string(any.children.size());
      for (const Point& point : path) all.children.push_back(Leaf(point));
      any.children.push_back(all);
    }
    the_case.tree.children.push_back(any);
  }
};

struct Row {
  const char* name;
  Path required;
  std::vector<Path> should;
  std::vector<Path> should_not;
  CellOutcome want;
  double want_weval;
};

TEST_CASE("weighted mean with the best path, and weval's") {
  const CellState scored = CellState::kScored;
  const Row rows[] = {
      {"weights", {{1, 2}, {0.5, 1}}, {}, {}, {scored, 0.83}, 0.83},
      {"failed points take no share", {{1}, kFailed, {0.5}}, {}, {}, {scored, 0.75}, 0.75},
      {"best of two paths", {}, {{{0.8}, {0}}, {{0.8}, {1}}}, {}, {scored, 0.9}, 0.9},
      {"required and path weigh the same", {{1}, {1}, {1}}, {{{0}}, {{0.5}}}, {}, {scored, 0.75}, 0.75},
      {"a failed path does not compete", {}, {{{0.5}}, {kFailed}}, {}, {scored, 0.5}, 0.5},
      {"failed paths: unscored against 0", {{1}}, {{kFailed}}, {}, {scored, 1}, 0.5},
      {"failed required: unscored against 0", {kFailed}, {{{1}}}, {}, {scored, 1}, 0.5},
      {"all failed", {kFailed}, {}, {}, {CellState::kError, 0}, 0},
      {"nothing scored", {kUnscored}, {}, {}, {CellState::kUnscored, 0}, 0},
      {"should_not's paths apart", {}, {{{1}}}, {{{0.5}}, {{0}}}, {scored, 0.75}, 0.75},
      {"best of both blocks", {}, {{{1}}, {{0}}}, {{{0}}, {{0.5}}}, {scored, 0.75}, 0.5},
      {"ties round up", {{0.125}}, {}, {}, {scored, 0.13}, 0.13},
      {"the exact binary value rounds", {{0.615}}, {}, {}, {scored, 0.61}, 0.61},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Fixture fixture(row.required, row.should, row.should_not);
    const CellOutcome got = WeightedMeanBestPath(fixture.the_case, fixture.scores);
    CHECK(got.state == row.want.state);
    CHECK(got.value == row.want.value);
    const CellOutcome weval = WeightedMeanBestPathWeval(fixture.the_case, fixture.scores);
    CHECK(weval.state == CellState::kScored);
    CHECK(weval.value == row.want_weval);
  }
}

TEST_CASE("no checks: no score") {
  const Fixture empty(Path{});
  CHECK(WeightedMeanBestPath(empty.the_case, empty.scores).state == CellState::kUnscored);
  CHECK(WeightedMeanBestPathWeval(empty.the_case, empty.scores).state == CellState::kUnscored);
}

TEST_CASE("NaN spreads in weval's formula") {
  const Fixture fixture(Path{}, {{{std::nan("")}}, {{1}}});
  CHECK(std::isnan(WeightedMeanBestPathWeval(fixture.the_case, fixture.scores).value));
}

TEST_CASE("InfiBench: the smaller of max_score and the totals' sum, or max_score alone as the code has it") {
  struct Sum {
    const char* name;
    std::vector<std::pair<double, double>> scores;  // value, max
    std::optional<double> max_score;
    std::optional<double> min_score;
    std::optional<double> want;  // absent: an error
    std::optional<double> want_code;
  };
  const Sum rows[] = {
      {"no bound", {{1, 2}, {1, 2}}, {}, {}, 0.5, 0.5},
      {"a bound below the sum", {{2, 2}, {1, 2}}, 2, {}, 1, 1},
      {"a bound at the sum", {{1, 2}}, 2, {}, 0.5, 0.5},
      {"a bound above the sum", {{2, 2}}, 4, {}, 1, 0.5},
      {"no totals at all", {{0, 0}}, 4, {}, 0, 0},
      {"raised", {{-3, 2}}, 2, 0, 0, 0},
      {"nothing to divide by", {{0, 0}}, {}, {}, {}, {}},
      {"a bound of nothing", {{1, 2}}, 0, {}, {}, {}},
  };
  for (const Sum& row : rows) {
    CAPTURE(row.name);
    Case the_case;
    the_case.max_score = row.max_score;
    the_case.min_score = row.min_score;
    std::vector<Score> scores;
    for (const auto& [value, max] : row.scores) {
      scores.push_back(Score::Of(value));
      scores.back().max = max;
    }
    const auto same = [](const CellOutcome& got, const std::optional<double>& want) {
      return want ? got.state == CellState::kScored && got.value == *want : got.state == CellState::kError;
    };
    CHECK(same(ClippedSumOverLeastTotal(the_case, scores), row.want));
    CHECK(same(ClippedSumOverTotal(the_case, scores), row.want_code));
  }
}

TEST_CASE("rows are found by name") {
  CHECK((FindAggregation("weighted-mean-best-path")->fn == WeightedMeanBestPath));
  CHECK(FindAggregation("no-such-formula") == nullptr);
}

struct Verdict {
  double value = 0;
  bool holds = false;
  double weight = 1;
  std::string_view why = "no";
  ScoreState state = ScoreState::kScored;
};

// What the tests of a config come to: 1, 0, or -1 for an error.
double OutcomeOf(const std::vector<Verdict>& verdicts, const Value& threshold = {},
                 bool is_original = false) {
  Suite suite;
  suite.aggregation.formula = "assertions";
  suite.grading.original_accidents = is_original;
  Case the_case;
  if (!threshold.is_undefined()) the_case.details = Object{{"threshold", threshold}};
  std::vector<Score> scores;
  for (const Verdict& each : verdicts) {
    the_case.checks.emplace_back().weight = each.weight;
    Score& score = scores.emplace_back(Score::Of(each.value));
    score.state = each.state;
    score.verdict = each.holds;
    score.explanation = each.why;
  }
  const CellOutcome outcome = Aggregate(suite, the_case, scores);
  if (outcome.state == CellState::kPartial) return -2;
  return outcome.state == CellState::kScored ? outcome.value : -1;
}

TEST_CASE("a test of assertions passes if none of them fails") {
  CHECK(OutcomeOf({}) == 1);
  CHECK(OutcomeOf({{1, true}, {0.2, true}}) == 1);
  CHECK(OutcomeOf({{1, true}, {0.9, false}}) == 0);
  CHECK(OutcomeOf({{1, true}, {0, false, 0}}) == 1);
  CHECK(OutcomeOf({{1, true}, {.state = ScoreState::kError}}) == -1);
  CHECK(OutcomeOf({{1, true}, {.state = ScoreState::kMissing}}) == -2);
  CHECK(OutcomeOf({{1, true}, {.state = ScoreState::kUnscored}}) == 0);
}

TEST_CASE("with a threshold the mean by weight alone decides") {
  // (1 x 3 + 0 x 1) / 4 = 0.75
  const std::vector<Verdict> said = {{1, true, 3}, {0, false, 1}};
  CHECK(OutcomeOf(said, 0.75) == 1);
  CHECK(OutcomeOf(said, 0.76) == 0);
  CHECK(OutcomeOf(said, 0) == 1);
  CHECK(OutcomeOf({{1, true, 0}}, 0.1) == 0);  // no weight: the mean is 0
  CHECK(OutcomeOf(said, "0.76") == 0);  // whoever reads the config makes numbers of texts: this is none
  CHECK(OutcomeOf({{2, true}, {0, false}}, 1) == 1);
  CHECK(OutcomeOf({}, 0.5) == 1);
}

TEST_CASE("silent fails do not count in the original, and what is no number reaches no threshold") {
  const std::vector<Verdict> silent = {{1, true}, {0, false, 1, ""}};
  CHECK(OutcomeOf(silent) == 0);
  CHECK(OutcomeOf(silent, {}, true) == 1);
  CHECK(OutcomeOf({{0, false}}, {}, true) == 0);
  CHECK(OutcomeOf({{std::nan(""), true}}, 0, true) == 0);
  AttemptRecord record;
  record.scores = {Score::Of(7), Score::Of(std::nan(""))};
  Suite suite;
  suite.aggregation.formula = "assertions";
  CHECK(CheckScores(suite, record).has_value());
  CHECK_FALSE(CheckOutcome(suite, {.state = CellState::kScored, .value = 7}).has_value());
}

}  // namespace
}  // namespace assay
