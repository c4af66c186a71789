// Draws the answers of a run, or single verdicts, that people are asked to label, as a table to fill in.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors/result.h"
#include "report/decide/labels/label_rows.h"
#include "spec/report/report.h"

namespace assay {

inline constexpr std::uint64_t kLabelsDrawnMax = 1'000'000;

struct LabelList {
  // A line a unit, in the order in which to label them, with an empty column `label`: what ReadLabels reads.
  // It says neither what judges gave nor how sure they were.
  std::string csv;
  LabelUnit unit = LabelUnit::kAnswer;
  std::uint64_t drawn = 0;
  std::uint64_t units = 0;
  std::size_t strata = 0;
};
// Judges' verdicts are drawn, or whole answers where judges gave none. At least two of each stratum are
// drawn, so a list may be longer than `n`. kInvalidInput: nothing has a score.
Result<LabelList> DrawLabels(const Report& report, std::uint64_t n, std::uint64_t seed);

}  // namespace assay
