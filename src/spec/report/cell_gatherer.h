// CellGatherer: what somebody gathers of a run while its cells go by, so that all who need to see every cell
// share one walk over the store (docs/decisions/0064).
#pragma once

#include <span>

#include "spec/report/report.h"

namespace assay {

// One thread.
class CellGatherer {
 public:
  virtual ~CellGatherer() = default;
  virtual CellParts parts() const = 0;  // what it needs of the cells that come next; more may come
  // All cells of the run in plan order, skipped ones too.
  virtual Status Add(const Cell& cell) = 0;
  virtual void End() {}  // once, after the last cell
};

// One walk over all cells, for all of them. What they need is asked again every few thousand cells.
Status GatherCells(const Report& report, std::span<CellGatherer* const> gatherers);

}  // namespace assay
