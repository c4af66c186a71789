// Tests of case results: written as values, read back, and the sums of an attempt's components.
#include "dialects/infibench/case_result.h"

#include <doctest/doctest.h>

#include "text/yaml/yaml.h"

namespace assay::infibench {
namespace {

Value FromYaml(std::string_view text) {
  SourceFiles sources;
  Diagnostics diagnostics;
  auto documents =
      ReadYaml(sources.Add("result.yaml", std::string(text)), text, YamlRules::kPyYaml, diagnostics);
  REQUIRE(!diagnostics.HasErrors());
  REQUIRE(documents.size() == 1);
  return std::move(documents[0]);
}

TEST_CASE("an attempt adds its components up within the case's bounds") {
  struct Row {
    std::string_view attempt;
    std::optional<double> want;  // of a full score of 2
  };
  const Row rows[] = {
      {"{keywords_score: 1.0, keywords_totscore: 4.0}", 0.5},
      {"{keywords_score: 1.0, keywords_totscore: 2.0, unit_test_score: 2.0, unit_test_totscore: 2.0}", 1.5},
      // max_score is the total, even where it is above the sum of the totals.
      {"{keywords_score: 3.0, keywords_totscore: 3.0, max_score: 1.0}", 2},
      {"{keywords_score: 3.0, keywords_totscore: 3.0, max_score: 6.0}", 1},
      {"{keywords_score: -4.0, keywords_totscore: 2.0}", -4},
      {"{keywords_score: -4.0, keywords_totscore: 2.0, min_score: 0.0}", 0},
      // min_score comes last and may lift a score above the total.
      {"{keywords_score: 0.0, keywords_totscore: 2.0, max_score: 1.0, min_score: 2.0}", 4},
      {"{keywords_score: 1, keywords_totscore: 2}", 1},
      {"{keywords_score: 0.0, keywords_totscore: 0.0}", std::nullopt},
      {"{info: error encountered, error_obj: no such thing}", std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.attempt);
    CHECK(AttemptScore(FromYaml(row.attempt), 2) == row.want);
  }
}

constexpr std::string_view kHarness = R"(a.yaml:
  all_scores: [1.0, null]
  detail:
  - {keywords: [match], keywords_score: 1.0, keywords_totscore: 1.0}
  - {info: error encountered, error_obj: the handler returned nothing}
  full_score: 1.0
  id: a-1
  lang: python
  now_score: 1.0
  now_std: 0.25
b.yaml:
  all_scores: [0.0]
  detail: {error_obj: no total, info: error encountered}
  full_score: 0.0
  lang: bash
  now_score: 0.0
  now_std: 0.0
)";

TEST_CASE("what was written is read back, in both forms") {
  const Value file = FromYaml(kHarness);
  const auto results = ReadCaseResults(file);
  REQUIRE(results.has_value());
  REQUIRE(results->size() == 2);
  const CaseResult& first = results->at(0);
  CHECK(first.path == "a.yaml");
  CHECK(first.fields.size() == 2);
  CHECK(first.now_std == 0.25);
  CHECK(first.all_scores == std::vector<std::optional<double>>{1.0, std::nullopt});
  CHECK(results->at(1).error == "no total");
  for (const CaseResult& result : *results) {
    CAPTURE(result.path);
    CHECK(SameValue(ToValue(result, ResultForm::kHarness), *file.Find(result.path)));
    const Value evaluator = ToValue(result, ResultForm::kEvaluator);
    CHECK(evaluator.Find("all_scores") == nullptr);
    Map again;
    again.Append(result.path, evaluator);
    const auto reread = ReadCaseResults(again);
    REQUIRE(reread.has_value());
    CHECK(reread->at(0).all_scores == result.all_scores);
  }
}

TEST_CASE("a key of the case file replaces a computed one in the evaluator's form alone") {
  CaseResult result{.path = "a.yaml", .full_score = 2, .now_score = 1};
  result.fields.Append("full_score", std::int64_t{7});
  CHECK(ToValue(result, ResultForm::kEvaluator).Find("full_score")->AsNumber() == 7);
  CHECK(ToValue(result, ResultForm::kHarness).Find("full_score")->AsNumber() == 2);
}

TEST_CASE("a file that is no result file names the case and the key") {
  struct Row {
    std::string_view text;
    std::string_view said;
  };
  const Row rows[] = {
      {"[]", "expected a result file, a mapping of case paths, found a list"},
      {"a: 1", "expected a mapping as \"its value\" of case \"a\", found a number"},
      {"a: {}", "expected a number as \"full_score\" of case \"a\", found nothing"},
      {"a: {full_score: 1.0, now_score: x, now_std: 0.0}",
       "expected a number as \"now_score\" of case \"a\", found a text"},
      {"a: {full_score: 1.0, now_score: 1.0, now_std: 0.0, detail: {}}",
       "expected a list as \"detail\" of case \"a\", found a mapping"},
      {"a: {full_score: 1.0, now_score: 1.0, now_std: 0.0, detail: [1]}",
       "expected mappings, one per attempt, as \"detail\" of case \"a\", found a number"},
      {"a: {full_score: 1.0, now_score: 1.0, now_std: 0.0, detail: [], all_scores: [1.0]}",
       "expected one score per attempt as \"all_scores\" of case \"a\", found a list"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto results = ReadCaseResults(FromYaml(row.text));
    REQUIRE(!results.has_value());
    CHECK(results.error().message == row.said);
  }
}

}  // namespace
}  // namespace assay::infibench
