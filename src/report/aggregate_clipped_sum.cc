// The aggregation formulas of InfiBench: points over their total, clipped to the allowed range.
#include <algorithm>

#include "report/aggregate.h"
#include "spec/suite/case.h"

namespace assay {

namespace {

// What the score of a case with a max_score is divided by.
using TotalOf = double (*)(double totals, double max_score);

double LeastTotal(double totals, double max_score) {
  return totals == 0 ? max_score : std::min(max_score, totals);
}
double MaxScore(double, double max_score) { return max_score; }

CellOutcome ClippedSum(const Case& the_case, std::span<const Score> scores, TotalOf total_of) {
  double sum = 0;
  double total = 0;
  bool is_unscored = scores.empty();
  for (const Score& score : scores) {
    if (score.state == ScoreState::kError) return {CellState::kError, 0};
    is_unscored = is_unscored || score.state == ScoreState::kUnscored;
    sum += score.value;
    total += score.max;
  }
  if (is_unscored) return {CellState::kUnscored, 0};
  if (the_case.max_score) {
    sum = std::min(sum, *the_case.max_score);
    total = total_of(total, *the_case.max_score);
  }
  if (the_case.min_score) sum = std::max(sum, *the_case.min_score);
  if (total == 0) return {CellState::kError, 0};
  return {CellState::kScored, sum / total};
}

}  // namespace

CellOutcome ClippedSumOverLeastTotal(const Case& the_case, std::span<const Score> scores) {
  return ClippedSum(the_case, scores, LeastTotal);
}

CellOutcome ClippedSumOverTotal(const Case& the_case, std::span<const Score> scores) {
  return ClippedSum(the_case, scores, MaxScore);
}

}  // namespace assay
