// Gathers cells until there are enough to read their exchanges at once, and bounds what that takes.
#include "store/run_walks.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>

namespace assay {

namespace {

constexpr std::size_t kCellsAtOnce = 256;
constexpr std::size_t kExchangesAtOnce = 256;
constexpr std::size_t kCellsBytesMax = 8u << 20;  // of their scores, transcripts and marks as they are stored
constexpr std::size_t kUsageAtOnce = 1'024;
constexpr std::size_t kRepliesBytesMax = 8u << 20;  // that are read at once, and that wait for other cells
constexpr std::size_t kRepliesOfCellBytesMax = 128u << 20;  // of one cell, however often it names them

Error TooMuchError() {
  return {ErrorCode::kCorrupt, fmt::format("the store is damaged: one cell names answers of more than {} MB",
                                           kRepliesOfCellBytesMax >> 20)};
}

}  // namespace

SharedExchanges::SharedExchanges(Store& store, std::span<const ExchangeId> ids) : store_(store), left_(ids) {
  for (const ExchangeId id : ids) ++shared_[id].uses_left;
}

void SharedExchanges::DropAll() {
  for (auto& [id, shared] : shared_) {
    shared.is_here = false;
    shared.read = {};
  }
  bytes_here_ = 0;
}

// What the next cell needs and, as far as there is room, what the cells behind it need.
Status SharedExchanges::Read(std::size_t count) {
  const auto is_here = [this](ExchangeId id) { return shared_.at(id).is_here; };
  const std::span<const ExchangeId> of_cell = left_.first(count);
  if (std::all_of(of_cell.begin(), of_cell.end(), is_here)) return Ok();
  if (bytes_here_ > kRepliesBytesMax) DropAll();
  std::vector<ExchangeId> wanted;
  std::size_t needed = 0;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    Shared& shared = shared_.at(left_[i]);
    if (shared.is_here) continue;
    shared.is_here = true;  // soon; it is wanted once
    wanted.push_back(left_[i]);
    if (i < count) needed = wanted.size();
  }
  std::size_t at = 0;
  for (std::size_t bytes = 0; at < needed;) {
    const auto rest = std::span(wanted).subspan(at);
    ASSAY_TRY(std::vector<SizedExchange> some, store_.GetSome(rest, kRepliesBytesMax));
    for (SizedExchange& each : some) {
      bytes += each.reply_bytes;
      bytes_here_ += each.reply_bytes;
      shared_.at(wanted[at++]).read = std::move(each);
    }
    if (at < needed && bytes > kRepliesOfCellBytesMax) return TooMuchError();
  }
  for (; at < wanted.size(); ++at) shared_.at(wanted[at]).is_here = false;
  return Ok();
}

Result<std::vector<Exchange>> SharedExchanges::Next(std::size_t count) {
  ASSAY_CHECK_OK(Read(count));
  std::size_t bytes = 0;
  for (const ExchangeId id : left_.first(count)) bytes += shared_.at(id).read.reply_bytes;
  if (bytes > kRepliesOfCellBytesMax) return TooMuchError();
  std::vector<Exchange> exchanges;
  exchanges.reserve(count);
  for (const ExchangeId id : left_.first(count)) {
    Shared& shared = shared_.at(id);
    if (--shared.uses_left > 0) {
      exchanges.push_back(shared.read.exchange);
      continue;
    }
    bytes_here_ -= shared.read.reply_bytes;
    exchanges.push_back(std::move(shared.read.exchange));
    shared_.erase(id);
  }
  left_ = left_.subspan(count);
  return exchanges;
}

void NamedExchanges::KeepEachOnce() {
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
}

void NamedExchanges::Add(std::span<const StepLink> steps) {
  for (const StepLink& step : steps) ids_.insert(ids_.end(), step.exchanges.begin(), step.exchanges.end());
  if (ids_.size() < sort_at_) return;
  KeepEachOnce();
  sort_at_ = std::max(sort_at_, 2 * ids_.size());
}

std::vector<ExchangeId> NamedExchanges::Take() {
  KeepEachOnce();
  return std::move(ids_);
}

Result<std::vector<Exchange>> ExchangesOfCell(Store& store, std::span<const ExchangeId> ids) {
  return SharedExchanges(store, ids).Next(ids.size());
}

Status VisitCellsAnswered(Store& store, const std::string& run_id, RunPart part, CellSpan span,
                          Store::LinkFilter wants, const Store::AnsweredVisitor& visit) {
  std::vector<CellResult> cells;
  std::vector<std::size_t> counts;  // by cell: of its exchanges
  std::vector<ExchangeId> ids;
  std::size_t gathered = 0;  // bytes of the cells
  const auto visit_all = [&]() -> Status {
    SharedExchanges shared(store, ids);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ASSAY_TRY(std::vector<Exchange> exchanges, shared.Next(counts[i]));
      ASSAY_CHECK_OK(visit(cells[i], exchanges));
    }
    cells.clear();
    counts.clear();
    ids.clear();
    gathered = 0;
    return Ok();
  };
  ASSAY_CHECK_OK(store.VisitCells(run_id, part, span, [&](CellResult& cell) -> Status {
    const std::size_t before = ids.size();
    for (const StepLink& link : cell.steps) {
      if (wants != nullptr && !wants(cell, link)) continue;
      ids.insert(ids.end(), link.exchanges.begin(), link.exchanges.end());
    }
    gathered += cell.scores.size() + (cell.transcript ? cell.transcript->size() : 0) + cell.marks.size();
    cells.push_back(std::move(cell));
    counts.push_back(ids.size() - before);
    const bool is_more = cells.size() < kCellsAtOnce && ids.size() < kExchangesAtOnce;
    return is_more && gathered < kCellsBytesMax ? Ok() : visit_all();
  }));
  return visit_all();
}

std::vector<Exchange> TakeAll(std::span<Exchange> exchanges) {
  return {std::make_move_iterator(exchanges.begin()), std::make_move_iterator(exchanges.end())};
}

Status VisitUsage(Store& store, const std::string& run_id,
                  const std::function<void(const StoredUsage&)>& visit) {
  ASSAY_TRY(const std::vector<ExchangeId> ids, store.ExchangesOf(run_id, RunPart::kRun));
  for (std::size_t at = 0; at < ids.size(); at += kUsageAtOnce) {
    const std::size_t count = std::min(kUsageAtOnce, ids.size() - at);
    ASSAY_CHECK_OK(store.VisitUsageOf(std::span(ids).subspan(at, count), visit));
  }
  return Ok();
}

}  // namespace assay
