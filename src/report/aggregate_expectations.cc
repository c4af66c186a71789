// The aggregation formula of research evaluations: 1 if the answer meets its expectations, else 0.
#include <algorithm>

#include "report/aggregate.h"
#include "spec/score/expectations.h"
#include "spec/suite/case.h"

namespace assay {

CellOutcome EveryExpectation(const Case& the_case, std::span<const Score> scores) {
  const std::optional<bool> holds = Holds(the_case, scores);
  if (holds) return {.state = CellState::kScored, .value = *holds ? 1.0 : 0.0};
  const bool has_failed =
      std::any_of(scores.begin(), scores.end(), [](const Score& score) { return score.failed(); });
  return {.state = has_failed ? CellState::kError : CellState::kUnscored};
}

}  // namespace assay
