// Gathers cells until there are enough to read their exchanges at once; reads usage many rows at a time.
#include "store/run_walks.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace assay {

namespace {

constexpr std::size_t kCellsAtOnce = 256;
constexpr std::size_t kExchangesAtOnce = 256;
constexpr std::size_t kUsageAtOnce = 16;  // at first; then as many as have these bytes, with their requests
constexpr std::size_t kUsageAtOnceMax = 1'024;
constexpr std::size_t kUsageBytes = std::size_t{1} << 20;

}  // namespace

Status VisitCellsAnswered(Store& store, const std::string& run_id, RunPart part, CellSpan span,
                          Store::LinkFilter wants, const Store::AnsweredVisitor& visit) {
  std::vector<CellResult> cells;
  std::vector<std::size_t> ends;  // by cell: of its exchanges among those of all
  std::vector<ExchangeId> ids;
  const auto visit_all = [&]() -> Status {
    ASSAY_TRY(std::vector<Exchange> read, store.Get(ids));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ASSAY_CHECK_OK(visit(cells[i], std::span(read).subspan(begin, ends[i] - begin)));
      begin = ends[i];
    }
    cells.clear();
    ends.clear();
    ids.clear();
    return Ok();
  };
  ASSAY_CHECK_OK(store.VisitCells(run_id, part, span, [&](CellResult& cell) -> Status {
    for (const StepLink& link : cell.steps) {
      if (wants != nullptr && !wants(cell, link)) continue;
      ids.insert(ids.end(), link.exchanges.begin(), link.exchanges.end());
    }
    cells.push_back(std::move(cell));
    ends.push_back(ids.size());
    return cells.size() < kCellsAtOnce && ids.size() < kExchangesAtOnce ? Ok() : visit_all();
  }));
  return visit_all();
}

std::vector<Exchange> TakeAll(std::span<Exchange> exchanges) {
  return {std::make_move_iterator(exchanges.begin()), std::make_move_iterator(exchanges.end())};
}

Status VisitUsage(Store& store, const std::string& run_id,
                  const std::function<void(const StoredUsage&)>& visit) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, store.ExchangesOf(run_id, RunPart::kRun));
  std::size_t at_once = kUsageAtOnce;
  for (std::size_t at = 0; at < ids.size();) {
    const std::size_t count = std::min(at_once, ids.size() - at);
    ASSAY_TRY(const std::vector<StoredUsage> rows, store.UsageOf(std::span(ids).subspan(at, count)));
    std::size_t bytes = 1;
    for (const StoredUsage& row : rows) {
      bytes += row.request.size();
      visit(row);
    }
    at += count;
    at_once = std::clamp<std::size_t>(count * kUsageBytes / bytes, 1, kUsageAtOnceMax);
  }
  return Ok();
}

}  // namespace assay
