// OutcomeCache: what the cells of a run came to, as a reading of a server's store has seen them: reports walk
// over them several times. Some nine bytes a cell, of a million cells at most.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spec/report/cell_grid.h"
#include "spec/report/cell_query.h"

namespace assay {

// Cells side by side, those too that came to nothing yet.
class OutcomePiece {
 public:
  explicit OutcomePiece(CellSpan span) : span_(span), states_(span.size(), kNone), scores_(span.size()) {}
  const CellSpan& span() const { return span_; }
  void Put(CellIndex cell, const CellOutcome& outcome);
  std::optional<CellOutcome> Of(CellIndex cell) const;

 private:
  static constexpr std::int8_t kNone = -1;
  CellSpan span_;
  std::vector<std::int8_t> states_;
  std::vector<double> scores_;  // NaN: none
};

class OutcomeCache {
 public:
  static constexpr CellIndex kCellsOfPiece = 16'384;
  static constexpr std::size_t kPiecesMax = 64;

  // Of the run whose cells they are; null: not there. Valid until Clear.
  const OutcomePiece* Find(std::int64_t run, CellIndex cell) const;
  // The cells of the piece that may be kept for whoever asks for these. Nothing: there is no room, or too few
  // are asked for, too seldom, to read so many.
  std::optional<CellSpan> RoomFor(CellSpan asked);
  const OutcomePiece& Keep(std::int64_t run, OutcomePiece piece);
  void Clear();

 private:
  static constexpr CellIndex kFew = 1'024;
  static constexpr int kFewTimesMax = 8;

  std::map<std::pair<std::int64_t, CellIndex>, OutcomePiece> pieces_;  // by run and number
  int few_times_ = 0;
};

}  // namespace assay
