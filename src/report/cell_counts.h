// How many cells of a report ended in which state, over all variants.
#pragma once

#include <cstdint>

#include "spec/report.h"

namespace assay {

struct CellCounts {
  std::uint64_t cells = 0, scored = 0, unscored = 0, errors = 0, skipped = 0, partial = 0;
};
CellCounts CountCells(const Report& report);

}  // namespace assay
