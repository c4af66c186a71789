// Gathers cells until there are enough of them to read their exchanges at once.
#include "store/cells_answered.h"

#include <iterator>

namespace assay {

namespace {

constexpr std::size_t kCellsAtOnce = 64;
constexpr std::size_t kExchangesAtOnce = 256;

}  // namespace

Status VisitCellsAnswered(Store& store, const std::string& run_id, RunPart part, CellSpan span,
                          Store::LinkFilter wants, const Store::AnsweredVisitor& visit) {
  std::vector<CellResult> cells;
  std::vector<std::size_t> ends;  // by cell: of its exchanges among those of all
  std::vector<ExchangeId> ids;
  const auto visit_all = [&]() -> Status {
    ASSAY_TRY(std::vector<Exchange> read, store.Get(ids));
    auto from = std::make_move_iterator(read.begin());
    std::size_t begin = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto first = from + static_cast<std::ptrdiff_t>(begin);
      std::vector<Exchange> of_cell(first, from + static_cast<std::ptrdiff_t>(ends[i]));
      begin = ends[i];
      ASSAY_CHECK_OK(visit(cells[i], of_cell));
    }
    cells.clear();
    ends.clear();
    ids.clear();
    return Ok();
  };
  ASSAY_CHECK_OK(store.VisitCells(run_id, part, span, [&](const CellResult& cell) -> Status {
    cells.push_back(cell);
    for (const StepLink& link : cell.steps) {
      if (wants != nullptr && !wants(cell, link)) continue;
      ids.insert(ids.end(), link.exchanges.begin(), link.exchanges.end());
    }
    ends.push_back(ids.size());
    return cells.size() < kCellsAtOnce && ids.size() < kExchangesAtOnce ? Ok() : visit_all();
  }));
  return visit_all();
}

}  // namespace assay
