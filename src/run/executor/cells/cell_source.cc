// Walks a plan in order and skips finished cells.
#include "run/executor/cells/cell_source.h"

#include <utility>

namespace assay {

PlanCells::PlanCells(const CellGrid& grid, const Suite& suite, std::vector<bool> finished)
    : walk_(grid, suite), finished_(std::move(finished)) {}

SourcedCells PlanCells::Next(std::size_t most) {
  SourcedCells next;
  while (next.cells.size() < most) {
    const std::optional<CellIndex> cell = walk_.Next();
    if (!cell) break;
    if (*cell >= finished_.size() || !finished_[*cell]) next.cells.push_back(*cell);
  }
  if (!next.cells.empty()) next.state = SourcedCells::State::kCells;
  return next;
}

}  // namespace assay
