// Sums cell counts over variants, and the names of states.
#include "report/fold/cell_counts.h"

namespace assay {

CellCounts CountCells(const Report& report) {
  CellCounts total;
  for (const VariantSummary& variant : report.variants) {
    total.cells += variant.cells;
    total.scored += variant.scored;
    total.unscored += variant.unscored;
    total.errors += variant.errors;
    total.skipped += variant.skipped;
    total.partial += variant.partial;
  }
  return total;
}

void CountState(CellState state, VariantSummary& summary) {
  switch (state) {
    case CellState::kScored:
      ++summary.scored;
      return;
    case CellState::kUnscored:
      ++summary.unscored;
      return;
    case CellState::kError:
      ++summary.errors;
      return;
    case CellState::kSkipped:
      ++summary.skipped;
      return;
    case CellState::kPartial:
      ++summary.partial;
      return;
  }
}

std::string_view CellStateName(CellState state) {
  switch (state) {
    case CellState::kScored:
      return "scored";
    case CellState::kUnscored:
      return "unscored";
    case CellState::kError:
      return "error";
    case CellState::kSkipped:
      return "skipped";
    case CellState::kPartial:
      return "partial";
  }
  return "";
}

std::string_view ScoreStateName(ScoreState state) {
  switch (state) {
    case ScoreState::kScored:
      return "scored";
    case ScoreState::kUnscored:
      return "unscored";
    case ScoreState::kError:
      return "error";
    case ScoreState::kMissing:
      return "missing";
  }
  return "";
}

}  // namespace assay
