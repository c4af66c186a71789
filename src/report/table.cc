// The tables of aggregation formulas and exporters, one row each, and their look-up by name.
#include "report/aggregate.h"
#include "report/export.h"
#include "spec/score/graded_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/errors/assert.h"
#include "spec/suite/suite.h"

namespace assay {
namespace {

constexpr AggregationRow kAggregations[] = {
    {"weighted-mean-best-path",
     "weighted mean of the criteria, averaged with the best alternative path (blueprints)",
     WeightedMeanBestPath},
    {"weighted-mean-best-path-weval", "the same exactly as weval computes it: a failed group counts as 0",
     WeightedMeanBestPathWeval, false, true},
    {"clipped-sum-over-least-total",
     "credit over its total, within the bounds that the case sets (InfiBench)", ClippedSumOverLeastTotal,
     true},
    {"clipped-sum-over-total", "the same exactly as InfiBench's code computes it: max_score is the total",
     ClippedSumOverTotal, true},
    {"every-expectation", "1 if everything holds that the case expects, else 0 (research)", EveryExpectation},
    {.name = "assertions",
     .help =
         "1 if no assertion fails, or their weighted mean reaches the test's threshold, else 0 (promptfoo)",
     .fn = Assertions,
     .with_accidents = AssertionsWithAccidents,
     .takes_any_score = true},
};

constexpr ExportRow kExports[] = {
    {"html", "report.html", "one self-contained page: ranking, map, every case with answers and reasons",
     ExportHtml, true},
    {"csv", "cells.csv", "one line for each cell: state, score, whether it passed", ExportCsv},
    {"answers-csv", "answers.csv", "the same with answers, errors and first reasons", ExportAnswersCsv},
    {"check-csv", "checks.csv", "one line for each check of each cell, for data frames", ExportCheckCsv},
    {"items-csv", "items.csv", "one line for each test, keyword or blank of each check", ExportItemsCsv},
    {"table-csv", "table.csv", "one line for each variant, and for each variant and group of cases",
     ExportTableCsv},
    {"jsonl", "cells.jsonl", "one JSON object per line for each cell: messages, answer, criteria, votes",
     ExportJsonl},
    {"junit", "junit.xml", "JUnit XML for CI servers: one suite per variant, one test per case", ExportJunit},
    {"markdown", "report.md", "who leads, the ranking, and what failed", ExportMarkdown},
    {"github-summary", "summary.md", "the same, short, for $GITHUB_STEP_SUMMARY", ExportGithubSummary},
    {"promptfoo", "promptfoo.json", "results of promptfoo, version 3, for `promptfoo import`",
     ExportPromptfoo},
    {"inspect", "inspect.eval", "a log of Inspect, for its viewer; of one variant", ExportInspect, false,
     true},
    {"lm-eval", "results.json", "results of lm-evaluation-harness; of one variant", ExportLmEval, false,
     true},
    {"lm-eval-samples", "samples.jsonl", "its samples, a line for each case; of one variant",
     ExportLmEvalSamples, false, true},
};

template <class Row>
const Row* FindByName(std::span<const Row> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::span<const AggregationRow> AggregationTable() { return kAggregations; }
const AggregationRow* FindAggregation(std::string_view name) { return FindByName(AggregationTable(), name); }

std::span<const ExportRow> ExportTable() { return kExports; }
const ExportRow* FindExport(std::string_view name) { return FindByName(ExportTable(), name); }

Status Export(const ExportRow& row, const Report& report, const ExportAsk& ask, std::string_view path,
              Sink& sink) {
  ASSAY_CHECK_OK(sink.Open(path));
  ASSAY_CHECK_OK(row.write(report, ask, sink));
  return sink.Close();
}

Status ExportUnasked(const Report& report, const ExportAsk& ask, Sink& sink) {
  for (const ExportRow& row : ExportTable()) {
    if (row.of_every_run) ASSAY_CHECK_OK(Export(row, report, ask, row.file, sink));
  }
  return Ok();
}

CellOutcome Aggregate(const Suite& suite, const Case& the_case, std::span<const Score> scores) {
  const AggregationRow* row = FindAggregation(suite.aggregation.formula);
  ASSAY_ASSERT(row != nullptr && scores.size() == the_case.checks.size());
  const auto is_missing = [](const Score& score) { return score.state == ScoreState::kMissing; };
  const bool is_original = suite.grading.original_accidents && row->with_accidents != nullptr;
  const AggregateFn formula = is_original ? row->with_accidents : row->fn;
  if (std::none_of(scores.begin(), scores.end(), is_missing)) return formula(the_case, scores);
  std::vector<Score> decided(scores.begin(), scores.end());
  for (Score& score : decided) {
    if (is_missing(score)) score.state = ScoreState::kError;
  }
  const CellOutcome counted = formula(the_case, decided);
  if (suite.completeness.accepts_partial) return counted;
  CellOutcome partial{.state = CellState::kPartial};
  if (counted.state == CellState::kScored) partial.partial = counted.value;
  return partial;
}

Result<CellOutcome> Aggregate(const Suite& suite, const Case& the_case, const AttemptRecord& record) {
  if (!record.transcript.error.empty()) return CellOutcome{CellState::kError, 0};
  if (!record.grading_error.empty())
    return CellOutcome{suite.completeness.accepts_partial ? CellState::kError : CellState::kPartial, 0};
  const bool is_extracted = !record.key_points.empty();
  const std::size_t checks = is_extracted ? record.key_points.size() : the_case.checks.size();
  if (record.scores.size() != checks || (is_extracted && !the_case.checks.empty())) {
    return Error{ErrorCode::kCorrupt, "the store is damaged: a cell's scores do not fit its checks"};
  }
  if (!is_extracted) return Aggregate(suite, the_case, record.scores);
  return Aggregate(suite, WithKeyPoints(the_case, record.key_points), record.scores);
}

namespace {

// Between 0 and 1 where there are no shares; NaN where a formula spreads it.
bool IsPossible(const AggregationRow& row, double value) {
  constexpr double kShareMax = 1e9;
  if (std::isnan(value)) return row.gives_nan;
  return row.is_share ? std::abs(value) <= kShareMax : value >= 0 && value <= 1;
}

Error NoSuchScore(double value) {
  return {ErrorCode::kCorrupt,
          fmt::format("the store is damaged: no check of such a suite gives a score of {:g}", value)};
}

}  // namespace

Status CheckScores(const Suite& suite, const AttemptRecord& record) {
  const AggregationRow* row = FindAggregation(suite.aggregation.formula);
  if (row == nullptr)
    return Error{ErrorCode::kCorrupt, "the store is damaged: its suite has no such formula"};
  for (const Score& score : record.scores) {
    if (score.state != ScoreState::kScored || row->takes_any_score) continue;
    if (!IsPossible(*row, score.value)) return NoSuchScore(score.value);
    if (!row->is_share && score.max != 1) return NoSuchScore(score.max);
  }
  return Ok();
}

Status CheckOutcome(const Suite& suite, const CellOutcome& outcome) {
  const AggregationRow* row = FindAggregation(suite.aggregation.formula);
  if (row == nullptr)
    return Error{ErrorCode::kCorrupt, "the store is damaged: its suite has no such formula"};
  if (outcome.state == CellState::kScored && !IsPossible(*row, outcome.value))
    return NoSuchScore(outcome.value);
  if (outcome.partial && !IsPossible(*row, *outcome.partial)) return NoSuchScore(*outcome.partial);
  return Ok();
}

double WeightOf(const Case& the_case) { return the_case.weight * the_case.full_score.value_or(1); }

std::function<CellColumns(const CellAddress&, const AttemptRecord&)> ColumnsIn(const Suite& suite) {
  return [&suite](const CellAddress& address, const AttemptRecord& record) {
    const Case& the_case = suite.cases[address.case_index];
    const Result<CellOutcome> outcome = Aggregate(suite, the_case, record);
    return CellColumns{.variant = address.variant,
                       .attempt = address.attempt,
                       .outcome = outcome ? *outcome : CellOutcome{CellState::kError, 0},
                       .weight = WeightOf(the_case)};
  };
}

}  // namespace assay
