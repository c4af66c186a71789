// Counts the cells of a report by the state in which they ended, and names these states.
#pragma once

#include <cstdint>
#include <string_view>

#include "spec/report/report.h"

namespace assay {

struct CellCounts {
  std::uint64_t cells = 0, scored = 0, unscored = 0, errors = 0, skipped = 0, partial = 0;
};
CellCounts CountCells(const Report& report);
// Adds one cell of this state to the variant's cells of it; the number of all cells stays.
void CountState(CellState state, VariantSummary& summary);

// "scored", "partial", ...
std::string_view CellStateName(CellState state);
std::string_view ScoreStateName(ScoreState state);

}  // namespace assay
