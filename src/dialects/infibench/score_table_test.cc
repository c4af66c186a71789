// Tests of score tables: buckets, rows, what stands where the originals stop, and several models side by
// side.
#include "dialects/infibench/score_table.h"

#include <doctest/doctest.h>

#include "text/yaml/yaml.h"

namespace assay::infibench {
namespace {

std::vector<CaseResult> ResultsFromYaml(std::string_view text) {
  SourceFiles sources;
  Diagnostics diagnostics;
  const auto documents =
      ReadYaml(sources.Add("result.yaml", std::string(text)), text, YamlRules::kPyYaml, diagnostics);
  REQUIRE(documents.size() == 1);
  auto results = ReadCaseResults(documents[0]);
  REQUIRE(results.has_value());
  return std::move(*results);
}

const ScoreRow& RowOf(const ScoreTable& table, std::string_view label) {
  for (const ScoreRow& row : table.rows) {
    if (row.label == label) return row;
  }
  FAIL("no row " << label);
  return table.rows.front();
}

// A case of four attempts with these sums of keywords, each of a total of 2.
std::string KeywordCase(std::string_view path, const std::vector<double>& scores,
                        std::string_view more = "") {
  std::string text =
      std::string(path) + ": {full_score: 1.0, now_score: 0.25, now_std: 0.0, lang: c, type: t, detail: [";
  for (const double score : scores) {
    text +=
        "{keywords_score: " + std::to_string(score) + ", keywords_totscore: 2.0" + std::string(more) + "},";
  }
  return text + "]}\n";
}

TEST_CASE("buckets follow the suite's reducer") {
  struct Row {
    std::string_view mode;
    std::vector<double> totals;
  };
  const Row rows[] = {
      {"avg", {0.5, 0, 1, 0.25}}, {"max", {1}},        {"min", {0}}, {"avg_max_2", {0.5, 1}},
      {"avg_max_3", {1, 0.25}},   {"avg_max_10", {1}},
  };
  const auto results = ResultsFromYaml(KeywordCase("a", {1, 0, 2, 0.5}));
  for (const Row& row : rows) {
    CAPTURE(row.mode);
    const auto buckets = BucketsOf(row.mode);
    REQUIRE(buckets.has_value());
    CHECK(BuildScoreTable(results, {.buckets = *buckets}).bucket_totals == row.totals);
  }
  CHECK(!BucketsOf("median"));
}

TEST_CASE("what stands where the originals stop") {
  struct Row {
    std::string_view what;
    ResultForm form;
    std::string text;
    double score;
    double full_score;
  };
  const std::string good = KeywordCase("a", {2, 0});
  const std::string weighted =
      "b: {full_score: 4.0, now_score: 2.0, now_std: 0.0, detail: [{keywords_score: 1.0, keywords_totscore: "
      "2.0}]}";
  const Row rows[] = {
      {"a case error is left out", ResultForm::kEvaluator,
       good + "b: {full_score: 0.0, now_score: 0.0, now_std: 0.0, detail: {info: error encountered, "
              "error_obj: x}}",
       1, 1},
      {"no response: the case's score counts in every bucket", ResultForm::kEvaluator,
       good + "b: {full_score: 1.0, now_score: 0.5, now_std: 0.0, detail: []}", 1.5, 2},
      {"no response, by shares", ResultForm::kHarness,
       good + "b: {full_score: 2.0, now_score: 0.5, now_std: 0.0, detail: []}", 1.25, 3},
      {"full scores count where the table adds up to the total", ResultForm::kEvaluator, good + weighted, 3,
       5},
      {"the harness adds shares", ResultForm::kHarness, good + weighted, 1.5, 5},
      {"a lower bound is a grade's", ResultForm::kEvaluator, KeywordCase("a", {-3, -2}, ", min_score: 1.0"),
       0.5, 1},
      {"the harness compares it with the share", ResultForm::kHarness,
       KeywordCase("a", {-3, -2}, ", min_score: 1.0"), 1, 1},
      {"all below nothing", ResultForm::kEvaluator, KeywordCase("a", {-3, -2}), -1, 1},
      {"an attempt that is an error", ResultForm::kEvaluator,
       "a: {full_score: 1.0, now_score: 0.5, now_std: 0.0, detail: [{info: error encountered, error_obj: x}, "
       "{keywords_score: 1.0, keywords_totscore: 2.0}]}",
       0.5, 1},
      {"nothing at all", ResultForm::kEvaluator, "{}", 0, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const ScoreTable table = BuildScoreTable(ResultsFromYaml(row.text), {.form = row.form});
    CHECK(table.rows.front().score == doctest::Approx(row.score));
    CHECK(table.rows.front().full_score == row.full_score);
  }
}

TEST_CASE("a case counts with its weight in every row") {
  std::vector<CaseResult> results = ResultsFromYaml(KeywordCase("a", {2, 0}) + KeywordCase("b", {1, 0}));
  results[0].weight = 3;
  const ScoreTable table = BuildScoreTable(results, {});
  CHECK(table.rows.front().score == doctest::Approx(3 + 0.5));
  CHECK(table.rows.front().full_score == 4);
  CHECK(table.rows.back().label == "Metric: keywords");
  CHECK(table.rows.back().score == doctest::Approx(3 + 0.5));
  CHECK(table.rows.back().full_score == 4);
}

TEST_CASE("a share is one of max_score, or of the smaller of it and the totals") {
  const std::string text =
      "a: {full_score: 1.0, now_score: 1.0, now_std: 0.0, detail: [{keywords_score: 1.0, keywords_totscore: "
      "2.0, max_score: 4.0}]}";
  for (const ResultForm form : {ResultForm::kEvaluator, ResultForm::kHarness}) {
    const auto score = [&](Denominator denominator) {
      return BuildScoreTable(ResultsFromYaml(text), {.form = form, .denominator = denominator})
          .rows.front()
          .score;
    };
    CHECK(score(Denominator::kMaxScore) == 0.25);
    CHECK(score(Denominator::kLeast) == 0.5);
  }
}

TEST_CASE("a case with fewer buckets counts with its mean in those that it lacks") {
  const auto results =
      ResultsFromYaml(KeywordCase("a", {2, 1, 0}) + KeywordCase("b", {2, 0}) + KeywordCase("c", {1}));
  const ScoreTable table = BuildScoreTable(results, {.buckets = {.size = 1}});
  CHECK(table.bucket_totals == std::vector<double>{2.5, 1, 1});
}

TEST_CASE("rows stand by full score, like ones by the path of their first case") {
  const ScoreTable table = BuildScoreTable(
      ResultsFromYaml("{c: {full_score: 1.0, now_score: 1.0, now_std: 0.0, lang: go, detail: []},"
                      " b: {full_score: 1.0, now_score: 1.0, now_std: 0.0, lang: r, detail: []},"
                      " a: {full_score: 1.0, now_score: 1.0, now_std: 0.0, lang: c, detail: []},"
                      " d: {full_score: 1.0, now_score: 1.0, now_std: 0.0, lang: r, detail: []}}"),
      {});
  const std::string_view labels[] = {"Overall Score", "Lang: r", "Lang: c", "Lang: go"};
  REQUIRE(table.rows.size() == std::size(labels));
  for (std::size_t at = 0; at < std::size(labels); ++at) CHECK(table.rows[at].label == labels[at]);
}

TEST_CASE("metrics show the components of the attempt that stands for a bucket") {
  constexpr std::string_view kText = R"(
a: {full_score: 1.0, now_score: 1.0, now_std: 0.0, lang: c, type: t, detail: [
  {keywords_score: 2.0, keywords_totscore: 2.0, unit_test_score: 0.0, unit_test_totscore: 2.0,
   max_score: 2.0},
  {keywords_score: 1.0, keywords_totscore: 2.0, unit_test_score: 1.0, unit_test_totscore: 2.0,
   max_score: 2.0}]}
b: {full_score: 1.0, now_score: 0.5, now_std: 0.0, lang: go, type: t, detail: [
  {custom_score: 1.0, custom_totscore: 2.0}]}
)";
  const ScoreTable table = BuildScoreTable(ResultsFromYaml(kText), {.custom_metrics = {{"b", "similarity"}}});
  // Of two like attempts the later one stands for the bucket; clipping leaves each metric its own full score.
  CHECK(RowOf(table, "Metric: keywords").score == 0.5);
  CHECK(RowOf(table, "Metric: keywords").full_score == 1);
  CHECK(RowOf(table, "Metric: unit_test").score == 0.5);
  CHECK(RowOf(table, "Metric: similarity").score == 0.5);
  CHECK(RowOf(table, "Lang: go").full_score == 1);
  CHECK(RowOf(table, "Type: t").score == 1.5);
}

TEST_CASE("one table, as text and as CSV") {
  const ScoreTable table{
      .model = "mödel, b",
      .bucket_totals = {1.5, 0.1},
      .rows = {{"Overall Score", 0.8, 0.99, 2}, {"Lang: c", 0.8, 0.99, 2}, {"Lang: d", 0, 0, 0}}};
  CHECK(BucketTotalsLine(table) == "[1.5, 0.1]");
  CHECK(WriteTableText({&table, 1}) ==
        "-------------------------------------------------------------------------------\n"
        "               | mödel, b         |                  | Full Score | Allocation \n"
        "---------------|----------|-------|--------|---------|------------|------------\n"
        " Overall Score | 0.80       ±0.99 | 40.00%   ±49.50% | 2.00       |            \n"
        " Lang: c       | 0.80       ±0.99 | 40.00%   ±49.50% | 2.00       | 100.00%    \n"
        " Lang: d       | 0.00       ±0.00 |                  | 0.00       | 0.00%      \n"
        "-------------------------------------------------------------------------------");
  CHECK(WriteTableCsv({&table, 1}) ==
        ",0,1,2,3,4,5,6\n"
        "0,,\"mödel, b\",,,,Full Score,Allocation\n"
        "1,Overall Score,0.80,±0.99,40.00%,±49.50%,2.00,\n"
        "2,Lang: c,0.80,±0.99,40.00%,±49.50%,2.00,100.00%\n"
        "3,Lang: d,0.00,±0.00,,,0.00,0.00%\n");
}

TEST_CASE("several models side by side") {
  const ScoreTable a{
      .model = "a", .bucket_totals = {}, .rows = {{"Overall Score", 1, 0, 2}, {"Lang: c", 1, 0, 2}}};
  ScoreTable b = a;
  b.model = "b";
  b.rows[0].score = 0.5;
  const ScoreTable same[] = {a, b};
  CHECK(WriteTableCsv(same) ==
        ",0,1,2,3,4,5,6,7,8,9,10\n"
        "0,,a,,,,b,,,,Full Score,Allocation\n"
        "1,Overall Score,1.00,±0.00,50.00%,±0.00%,0.50,±0.00,25.00%,±0.00%,2.00,\n"
        "2,Lang: c,1.00,±0.00,50.00%,±0.00%,1.00,±0.00,50.00%,±0.00%,2.00,100.00%\n");
  // A model with fewer cases shows what its own scores are of, and rows of its own among their kind.
  const ScoreTable fewer{.model = "b",
                         .bucket_totals = {},
                         .rows = {{"Overall Score", 1, 0, 1}, {"Lang: d", 1, 0, 1}, {"Type: t", 1, 0, 1}}};
  const ScoreTable differing[] = {a, fewer};
  CHECK(WriteTableCsv(differing) ==
        ",0,1,2,3,4,5,6,7,8,9,10\n"
        "0,,a,,,,Full Score,b,,,,Full Score\n"
        "1,Overall Score,1.00,±0.00,50.00%,±0.00%,2.00,1.00,±0.00,100.00%,±0.00%,1.00\n"
        "2,Lang: c,1.00,±0.00,50.00%,±0.00%,2.00,,,,,\n"
        "3,Lang: d,,,,,,1.00,±0.00,100.00%,±0.00%,1.00\n"
        "4,Type: t,,,,,,1.00,±0.00,100.00%,±0.00%,1.00\n");
}

}  // namespace
}  // namespace assay::infibench
