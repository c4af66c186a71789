// Pair: all attempts of one variant at one case, folded into what reports show: one answer and mean scores.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "spec/report.h"

namespace assay {

struct Pair {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  CellState state = CellState::kSkipped;  // kScored if any attempt is, else that of the attempt that is shown
  AttemptRecord shown;                    // of the first attempt with an answer, else of the first
  std::vector<double> values;             // scores of the scored attempts, in order
  std::vector<std::optional<double>>
      points;  // per check of the case: mean over the attempts that have a value
  bool answered() const { return shown.transcript.error.empty(); }
  std::optional<double> mean() const;  // of `values`
};

// `parts` is kScores where Pair::shown needs no transcript, else kShown.
// Calls `visit` for the pairs of one case in plan order; attempts that were skipped are left out, and so are
// pairs without any other. Holds one pair at a time.
using PairVisitor = std::function<Status(const Pair&)>;
Status ForEachPairOf(const Report& report, CaseIndex case_index, CellParts parts, const PairVisitor& visit);
// The same for all cases.
Status ForEachPair(const Report& report, CellParts parts, const PairVisitor& visit);

}  // namespace assay
