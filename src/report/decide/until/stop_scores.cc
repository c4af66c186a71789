// Makes one value of a case's attempts once all of them are there.
#include "report/decide/until/stop_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/decide/standings.h"

namespace assay {

StopScores::StopScores(const Suite& suite, const PassRule& pass)
    : suite_(suite),
      pass_(pass),
      reduce_(*FindReducer(suite.aggregation.reduce)),
      pairs_(suite.variants.size()),
      means_(suite.variants.size()),
      samples_(suite.variants.size()) {
  for (VariantIndex v = 0; v < pairs_.size(); ++v) {
    pairs_[v].resize(suite.cases.size());
    means_[v].resize(suite.cases.size(), std::numeric_limits<double>::quiet_NaN());
    samples_[v].cases.resize(suite.cases.size());
    for (CaseIndex i = 0; i < suite.cases.size(); ++i)
      pairs_[v][i].left = static_cast<std::uint32_t>(AttemptsOf(i, v));
  }
}

std::uint64_t StopScores::AttemptsOf(CaseIndex case_index, VariantIndex variant) const {
  const Case& one = suite_.cases[case_index];
  return one.Asks(variant) ? one.attempts.value_or(suite_.attempts) : 0;
}

void StopScores::Take(const CellAddress& cell, const CellOutcome& outcome) {
  Open& pair = pairs_[cell.variant][cell.case_index];
  if (outcome.state == CellState::kSkipped) {
    pair.is_skipped = true;
    return;
  }
  if (pair.left == 0) return;
  ++pair.taken;
  pair.failed += outcome.state == CellState::kError || outcome.state == CellState::kPartial ? 1 : 0;
  Scores& scores = open_[{cell.variant, cell.case_index}];
  if (outcome.state == CellState::kScored) scores.emplace_back(cell.attempt, outcome.value);
  if (outcome.state == CellState::kScored && std::isfinite(outcome.value)) {
    ++pair.scored;
    pair.passed += pass_.Passes(suite_.cases[cell.case_index], outcome.value) ? 1 : 0;
  }
  if (--pair.left > 0) return;
  std::sort(scores.begin(), scores.end());
  std::vector<double> attempts;
  for (const auto& [attempt, score] : scores) attempts.push_back(score);
  open_.erase({cell.variant, cell.case_index});
  if (!attempts.empty()) means_[cell.variant][cell.case_index] = reduce_(attempts).value;
  for (double& score : attempts) score = CountedScore(suite_, cell.case_index, score);
  samples_[cell.variant].cases[cell.case_index] = ValueOfCase(reduce_, attempts);
}

}  // namespace assay
