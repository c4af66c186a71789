// StopScores: the scores of a run as they come, by variant and case, and which pairs of both are closed: all
// of their attempts have come to their end.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "spec/report/cell_grid.h"
#include "spec/report/cell_query.h"
#include "spec/report/reduce.h"
#include "spec/score/passing.h"
#include "spec/suite/suite.h"
#include "statistics/estimates/pass_k.h"
#include "statistics/sample.h"

namespace assay {

class StopScores {
 public:
  // The suite outlives it, and CanReduce. `pass`: which of its attempts pass.
  explicit StopScores(const Suite& suite, const PassRule& pass = {});

  // Attempts in any order, each once. `kSkipped`: nobody asked it, so that its pair is never closed.
  void Take(const CellAddress& cell, const CellOutcome& outcome);
  bool IsClosed(CaseIndex case_index, VariantIndex variant) const {
    return PairAt(case_index, variant).left == 0;
  }
  bool HasSkipped(CaseIndex case_index, VariantIndex variant) const {
    return PairAt(case_index, variant).is_skipped;
  }
  std::uint64_t AttemptsTaken(CaseIndex case_index, VariantIndex variant) const {
    return PairAt(case_index, variant).taken;
  }
  std::uint64_t AttemptsFailed(CaseIndex case_index, VariantIndex variant) const {  // errors, or in part
    return PairAt(case_index, variant).failed;
  }
  std::uint64_t AttemptsOf(CaseIndex case_index, VariantIndex variant) const;  // 0: it is not to be asked
  // Of a closed pair: what its attempts come to in the table of variants; NaN without a score.
  double MeanAt(CaseIndex case_index, VariantIndex variant) const { return means_[variant][case_index]; }
  PassCount PassesAt(CaseIndex case_index, VariantIndex variant) const {
    return {.scored = PairAt(case_index, variant).scored, .passed = PairAt(case_index, variant).passed};
  }
  // By variant; a case has its value once its pair is closed.
  std::span<const Sample> samples() const { return samples_; }

 private:
  struct Open {
    std::uint32_t left = 0;
    std::uint32_t taken = 0;
    std::uint32_t failed = 0;
    std::uint32_t scored = 0;
    std::uint32_t passed = 0;
    bool is_skipped = false;
  };
  using Scores = std::vector<std::pair<AttemptIndex, double>>;
  const Open& PairAt(CaseIndex case_index, VariantIndex variant) const { return pairs_[variant][case_index]; }

  const Suite& suite_;
  PassRule pass_;
  Reducer reduce_;
  std::vector<std::vector<Open>> pairs_;                       // by variant and case
  std::map<std::pair<VariantIndex, CaseIndex>, Scores> open_;  // of pairs some of whose attempts are there
  std::vector<std::vector<double>> means_;                     // by variant and case
  std::vector<Sample> samples_;
};

}  // namespace assay
