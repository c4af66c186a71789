// Makes one value of a case's attempts once all of them are there.
#include "report/decide/until/stop_scores.h"

#include <algorithm>

#include "report/decide/standings.h"

namespace assay {

StopScores::StopScores(const Suite& suite)
    : suite_(suite),
      reduce_(*FindReducer(suite.aggregation.reduce)),
      pairs_(suite.variants.size()),
      samples_(suite.variants.size()) {
  for (VariantIndex v = 0; v < pairs_.size(); ++v) {
    pairs_[v].resize(suite.cases.size());
    samples_[v].cases.resize(suite.cases.size());
    for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
      const Case& one = suite.cases[i];
      if (one.Asks(v)) pairs_[v][i].left = one.attempts.value_or(suite.attempts);
    }
  }
}

void StopScores::Take(const CellAddress& cell, const CellOutcome& outcome) {
  Open& pair = pairs_[cell.variant][cell.case_index];
  if (outcome.state == CellState::kSkipped) {
    pair.is_skipped = true;
    return;
  }
  if (pair.left == 0) return;
  ++pair.taken;
  Scores& scores = open_[{cell.variant, cell.case_index}];
  if (outcome.state == CellState::kScored)
    scores.emplace_back(cell.attempt, CountedScore(suite_, cell.case_index, outcome.value));
  if (--pair.left > 0) return;
  std::sort(scores.begin(), scores.end());
  std::vector<double> attempts;
  for (const auto& [attempt, score] : scores) attempts.push_back(score);
  open_.erase({cell.variant, cell.case_index});
  samples_[cell.variant].cases[cell.case_index] = ValueOfCase(reduce_, attempts);
}

}  // namespace assay
