// Sums over variants.
#include "report/cell_counts.h"

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

}  // namespace assay
