// The score table of a graded suite: overall and by language, type and metric, with the deviation over the
// buckets of attempts. Pure; the same bytes as the originals' print_result_stat wherever those print a table.
//   source  InfiBench evaluator 96cb098 and harness 736de98 (spec: infibench 11)
//
// How a bucket is scored: its best attempt (the higher grade, then the higher sum of components, then the
// later one) gives the bucket's share of the case, 0 to 1 unless the case allows more. Buckets are summed
// over the cases by their number; a row shows the mean of these sums and their sample deviation.
//
// Where the originals stop with an error, this is what stands in the table instead:
//   case error           the case is left out, of the full scores too, as in the totals
//   attempt error        the attempt is left out before buckets are cut
//   no response          the case's score counts in every bucket, its full score counts; no metric has it
//   fewer buckets        a case with fewer than others counts with its mean in those that it lacks
//   other reducers       buckets as the reducer has them: avg one attempt, max all, min all and the worst
//   min_score            kEvaluator: the grade with its bound, as in the result file. kHarness compares the
//                        bound with the share, as the harness does (the same for bounds of 0)
//   full_score not 1     kEvaluator: shares are multiplied by it, so that the table adds up to the total.
//                        kHarness: language, type and overall rows add shares, as the harness prints them
//   full score of 0      percentages are blank
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/infibench/case_result.h"

namespace assay::infibench {

// How attempts are cut into buckets.
struct Buckets {
  std::size_t size = 10;  // attempts; 0: all in one
  bool worst = false;     // the worst attempt stands for a bucket instead of the best
};
// As a suite's attempt_reduce_mode has it; nothing if there is no such mode.
std::optional<Buckets> BucketsOf(std::string_view reduce_mode);

struct TableOptions {
  ResultForm form = ResultForm::kEvaluator;
  Buckets buckets = {};
  Denominator denominator = Denominator::kMaxScore;
  std::string model = "This Model";
  // The real metric of customized cases by case path; "custom" for cases that are not named.
  std::map<std::string, std::string, std::less<>> custom_metrics = {};
  bool tells_nothing = false;  // where no case has a grade, "–" stands instead of the original's 0.00
};

struct ScoreRow {
  std::string label;  // "Overall Score", "Lang: python", "Type: ...", "Metric: ..."
  double score = 0;
  double deviation = 0;
  double full_score = 0;
  bool has_score = true;
};

struct ScoreTable {
  std::string model;
  std::vector<double> bucket_totals;
  std::vector<ScoreRow> rows;  // overall first, then languages, types and metrics, each by full score
};

// Cases are added in the order of their paths, as a result file has them, each with its weight; like full
// scores keep the order of their first case.
ScoreTable BuildScoreTable(std::span<const CaseResult> results, const TableOptions& options);

// The first line that print_result_stat says: the totals of the buckets, "[8.8]".
std::string BucketTotalsLine(const ScoreTable& table);
// The table as text, without a line end after its last line; as CSV, with one.
// Several tables stand side by side, in the order given: the rows of the first, each kind followed by what
// only later ones have; one group of columns per model. The full score stands in each group if models differ
// in any, else once at the end with its part of the whole, as for a single table.
std::string WriteTableText(std::span<const ScoreTable> tables);
std::string WriteTableCsv(std::span<const ScoreTable> tables);

// The cells of a row as the tables print them.
std::string ScoreCell(double score);                       // "62.71"
std::string PercentCell(double score, double full_score);  // "46.45%"; "" if there is no full score

}  // namespace assay::infibench
