// Two variants, of one run or of two, side by side as a JSON value: the comparison as `--json` has it, with
// every pair of cases and what the comparison rests on (docs/formats/view.md, compare).
#pragma once

#include <cstdint>
#include <string>

#include "base/errors/result.h"
#include "report/decide/comparison.h"
#include "report/decide/gate/passes.h"
#include "spec/report/report.h"
#include "text/value.h"

namespace assay {

// One of the two; borrows. The candidate is A, the base B.
struct CompareSide {
  std::string run;
  std::string title;
  std::int64_t started_ms = 0;
  const Suite* suite = nullptr;
  const CaseScores* scores = nullptr;
  const PassCounts* passes = nullptr;
  VariantIndex variant = 0;
  bool is_stopped = false;  // the run ended as soon as it was decided
};

struct CompareAsk {
  PairBy by = PairBy::kWholeCase;
  PassRule pass = {};
};
Value ComparePageValue(const CompareSide& a, const CompareSide& b, const CompareAsk& ask);

}  // namespace assay
