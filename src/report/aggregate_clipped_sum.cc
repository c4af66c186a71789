// InfiBench's formula: points over their total.
#include <algorithm>

#include "report/aggregate.h"

namespace assay {

CellScore ClippedSumOverTotal(const Case& the_case, std::span<const Score> scores) {
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
    total = *the_case.max_score;
    sum = std::min(sum, total);
  }
  if (the_case.min_score) sum = std::max(sum, *the_case.min_score);
  if (total == 0) return {CellState::kError, 0};
  return {CellState::kScored, sum / total};
}

}  // namespace assay
