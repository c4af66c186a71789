// Keeps a state and a score for each cell, by pieces of equal size.
#include "store/postgres/outcome_cache.h"

#include <cmath>
#include <limits>

namespace assay {

void OutcomePiece::Put(CellIndex cell, const CellOutcome& outcome) {
  const std::size_t at = cell - span_.first;
  constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();
  states_[at] = static_cast<std::int8_t>(outcome.state);
  scores_[at] = outcome.state == CellState::kScored ? outcome.value : outcome.partial.value_or(kNoScore);
}

std::optional<CellOutcome> OutcomePiece::Of(CellIndex cell) const {
  const std::size_t at = cell - span_.first;
  if (states_[at] == kNone) return std::nullopt;
  CellOutcome outcome{.state = static_cast<CellState>(states_[at])};
  if (outcome.state == CellState::kScored) outcome.value = scores_[at];
  if (outcome.state == CellState::kPartial && !std::isnan(scores_[at])) outcome.partial = scores_[at];
  return outcome;
}

const OutcomePiece* OutcomeCache::Find(std::int64_t run, CellIndex cell) const {
  const auto found = pieces_.find({run, cell / kCellsOfPiece});
  return found == pieces_.end() ? nullptr : &found->second;
}

std::optional<CellSpan> OutcomeCache::RoomFor(CellSpan asked) {
  if (pieces_.size() >= kPiecesMax) return std::nullopt;
  if (asked.size() < kFew && ++few_times_ <= kFewTimesMax) return std::nullopt;
  const CellIndex first = asked.first - asked.first % kCellsOfPiece;
  return CellSpan{first, first + kCellsOfPiece};
}

const OutcomePiece& OutcomeCache::Keep(std::int64_t run, OutcomePiece piece) {
  const CellIndex number = piece.span().first / kCellsOfPiece;
  return pieces_.insert_or_assign({run, number}, std::move(piece)).first->second;
}

void OutcomeCache::Clear() {
  pieces_.clear();
  few_times_ = 0;
}

}  // namespace assay
