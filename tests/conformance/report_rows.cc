// Golden files of aggregation and run statistics.
#include <cmath>
#include <map>
#include <vector>

#include "dialects/blueprint/run_statistics.h"
#include "report/aggregate.h"
#include "spec/statistics.h"
#include "tests/conformance/conformance.h"
#include "text/json.h"

namespace assay::conformance {
namespace {

using blueprint::ScoreTable;

// A case and scores as the reader and the checks would give them for a row's assessments, which stand in the
// order in which the original sums.
struct Assessed {
  Case the_case;
  std::vector<Score> scores;
};

bool IsBlank(std::string_view text) { return text.find_first_not_of(' ') == std::string_view::npos; }

Assessed FromAssessments(const Value& assessments) {
  Assessed assessed;
  CheckNode any;
  any.op = CheckNode::Op::kAny;
  std::map<std::string, std::size_t> path_places;
  for (const Value& assessment : assessments.AsList()) {
    Check check;
    const Value& multiplier = Get(assessment, "multiplier");
    check.weight = multiplier.is_number() ? multiplier.AsNumber() : 1;
    const Value& extent = Get(assessment, "coverageExtent");
    assessed.scores.push_back(extent.is_number() ? Score::Of(extent.AsNumber()) : Score::Failure("failed"));
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    leaf.check = static_cast<CheckIndex>(assessed.the_case.checks.size());
    assessed.the_case.checks.push_back(check);
    const std::string path = GetText(assessment, "pathId");
    if (IsBlank(path)) {
      assessed.the_case.tree.children.push_back(leaf);
      continue;
    }
    const auto [place, is_new] = path_places.emplace(path, any.children.size());
    if (is_new) any.children.emplace_back().label = path;
    any.children[place->second].children.push_back(leaf);
  }
  if (!any.children.empty()) assessed.the_case.tree.children.push_back(any);
  return assessed;
}

Value OptionalValue(std::optional<double> number) { return number ? Value(*number) : Value(Null{}); }

std::vector<double> NumbersOf(const Value& list) {
  std::vector<double> numbers;
  for (const Value& number : list.AsList()) numbers.push_back(number.AsNumber());
  return numbers;
}

void RunAggregate(const Value& row, Outcome& outcome) {
  const Assessed assessed = FromAssessments(Get(row, "assessments"));
  const CellScore cell = WeightedMeanBestPathWeval(assessed.the_case, assessed.scores);
  List want = {Get(row, "score"), Get(row, "score_2dp")};
  List got = {WeightedMeanBestPathWevalExact(assessed.the_case, assessed.scores),
              cell.state == CellState::kScored ? Value(cell.value) : Value()};
  outcome.Same("score", want, got);
}

void RunHybrid(const Value& row, Outcome& outcome) {
  outcome.Same("hybrid", Get(row, "result"),
               OptionalValue(blueprint::HybridScore(Get(row, "sim"), Get(row, "cov"))));
}

void RunDeviation(const Value& row, Outcome& outcome) {
  outcome.Same("deviation", Get(row, "result"),
               OptionalValue(SampleStandardDeviation(NumbersOf(Get(row, "values")))));
}

void RunCosine(const Value& row, Outcome& outcome) {
  const auto got = CosineSimilarity(NumbersOf(Get(row, "a")), NumbersOf(Get(row, "b")));
  outcome.Same("cosine", Get(row, "result"), got ? Value(*got) : Value());
}

void RunAverages(const Value& row, Outcome& outcome) {
  const Value& coverage = Get(row, "llmCoverageScores");
  ScoreTable table{
      Get(row, "effectiveModels"), Get(row, "promptIds"), Get(row, "perPromptSimilarities"), coverage, {}};
  if (const Value* weights = coverage.Find("__promptWeights")) {
    for (const Member& member : weights->AsMap()) table.prompt_weights[member.key] = member.value.AsNumber();
  }
  Map want;
  Map got;
  want.Append("run", Get(row, "run"));
  want.Append("perModel", Get(row, "perModel"));
  got.Append("run", blueprint::RunAverage(table, blueprint::SumOrder::kByModel));
  got.Append("perModel", blueprint::HybridPerModel(table));
  outcome.Same("averages", want, got);
}

void RunStatistics(const Value& row, Outcome& outcome) {
  const Value& run = Get(row, "run");
  const ScoreTable table = blueprint::TableOf(run);
  Map want;
  Map got;
  want.Append("perModel", Get(row, "perModel"));
  want.Append("average", Get(row, "average"));
  want.Append("summary", Get(row, "summary"));
  got.Append("perModel", blueprint::ScoresPerModel(table));
  got.Append("average", blueprint::RunAverage(table, blueprint::SumOrder::kByPrompt));
  got.Append("summary", List{blueprint::AddToSummary(Value(), run)});
  // Undefined members vanish on the way through JSON, as they do in the golden file.
  const auto printed = ParseJson(WriteJson(Value(got), JsonStyle::kJavaScript));
  outcome.Same("statistics", want, printed.has_value() ? *printed : Value());
}

constexpr KindRow kKinds[] = {
    {"blueprint/aggregate.jsonl", "aggregate", RunAggregate},
    {"blueprint/aggregate.jsonl", "hybrid", RunHybrid},
    {"blueprint/aggregate.jsonl", "stddev", RunDeviation},
    {"blueprint/aggregate.jsonl", "cosine", RunCosine},
    {"blueprint/aggregate.jsonl", "run_averages", RunAverages},
    {"blueprint/run_stats.jsonl", "run_stats", RunStatistics},
};

}  // namespace

std::span<const KindRow> ReportKinds() { return kKinds; }

}  // namespace assay::conformance
