// Computes the alignment's table along its antidiagonals, several cells at once.
//
// A cell is one number, (length << shift) | column of the last match: comparing cells compares lengths, then
// columns, which is the original's rule for ties. Only two antidiagonals are kept. What the way back needs is
// one bit a cell: whether its value came from the left or from above.
#include "checks/code/alignment.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "checks/limits.h"

namespace assay {

namespace {

template <class Cell>
class Table {
 public:
  Table(std::u32string_view pattern, std::u32string_view text)
      : pattern_(pattern),
        text_(text),
        rows_(pattern.size()),
        columns_(text.size()),
        letters_(rows_ + kLanes),
        reversed_(columns_ + kLanes),
        now_(rows_ + 1 + kLanes),
        last_(now_),
        before_(now_),
        left_bits_(rows_ + kLanes),
        came_from_left_((rows_ + columns_) / kBits * rows_ + rows_) {
    std::copy(pattern.begin(), pattern.end(), letters_.begin());
    std::reverse_copy(text.begin(), text.end(), reversed_.begin());
  }

  Alignment Run() {
    const std::size_t diagonals = rows_ + columns_ - 1;
    for (std::size_t d = 0; d < diagonals; ++d) {
      Diagonal(d);
      if (d % kBits == kBits - 1 || d + 1 == diagonals) KeepBits(d / kBits);
      std::swap(before_, last_);
      std::swap(last_, now_);
    }
    return {.matched = static_cast<std::uint32_t>(last_[rows_] >> kShift), .places = WayBack()};
  }

 private:
  using Lanes [[gnu::vector_size(16)]] = Cell;
  static constexpr std::size_t kLanes = 16 / sizeof(Cell);
  static constexpr std::size_t kBits = 8 * sizeof(Cell);
  static constexpr std::size_t kShift = kBits / 2;
  static constexpr Cell kOneMatch = Cell{1} << kShift;

  static Lanes Load(const Cell* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  static void Store(const Lanes& lanes, Cell* to) { std::memcpy(to, &lanes, sizeof lanes); }

  // The cells (row, d - row). Row r stands at [r + 1] of an antidiagonal. Cells beyond the last row of the
  // antidiagonal are written and never read.
  void Diagonal(std::size_t d) {
    const std::size_t first = std::max<std::size_t>(d < columns_ ? 0 : d - columns_ + 1, 1);
    const std::size_t end = std::min(rows_, d + 1);
    const auto bit = static_cast<Cell>(std::uint64_t{1} << (d % kBits));
    Lanes column;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      column[lane] = static_cast<Cell>(d) - static_cast<Cell>(first + lane);
    const Cell* letters = reversed_.data() + (columns_ - 1 + first - d);
    for (std::size_t row = first; row < end; row += kLanes, letters += kLanes) {
      const Lanes left = Load(&last_[row + 1]);
      const Lanes above = Load(&last_[row]);
      const Lanes is_left = left >= above;
      const Lanes matched = (Load(&before_[row]) & ~(kOneMatch - 1)) + kOneMatch + column;
      const Lanes is_match = Load(&letters_[row]) == Load(letters);
      const Lanes better = (left & is_left) | (above & ~is_left);
      Store((matched & is_match) | (better & ~is_match), &now_[row + 1]);
      Store(Load(&left_bits_[row]) | (is_left & bit), &left_bits_[row]);
      column -= static_cast<Cell>(kLanes);
    }
    if (d < columns_) now_[1] = pattern_[0] == text_[d] ? kOneMatch + static_cast<Cell>(d) : 0;
    if (d < rows_) now_[d + 1] = pattern_[d] == text_[0] ? kOneMatch : 0;
  }

  void KeepBits(std::size_t block) {
    std::copy_n(left_bits_.begin(), rows_,
                came_from_left_.begin() + static_cast<std::ptrdiff_t>(block * rows_));
    std::fill(left_bits_.begin(), left_bits_.end(), 0);
  }

  // The column of the last match in the cell, found by going where its value came from.
  std::size_t LastMatch(std::size_t row, std::size_t column) const {
    while (pattern_[row] != text_[column]) {
      if (row == 0 || column == 0) return 0;
      const std::size_t d = row + column;
      const Cell bits = came_from_left_[d / kBits * rows_ + row];
      const bool is_left = (static_cast<std::uint64_t>(bits) >> (d % kBits) & 1u) != 0;
      --(is_left ? column : row);
    }
    return column;
  }

  std::vector<std::uint32_t> WayBack() const {
    std::vector<std::uint32_t> places(rows_);
    std::size_t column = LastMatch(rows_ - 1, columns_ - 1);
    for (std::size_t row = rows_; row-- > 0;) {
      const bool is_match = pattern_[row] == text_[column];
      places[row] = static_cast<std::uint32_t>(is_match ? column : column + 1);
      if (is_match && row > 0) column = LastMatch(row - 1, (column == 0 ? columns_ : column) - 1);
    }
    return places;
  }

  std::u32string_view pattern_;
  std::u32string_view text_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<Cell> letters_;   // of the pattern
  std::vector<Cell> reversed_;  // the text from its end, so that an antidiagonal reads it forwards
  std::vector<Cell> now_;       // the antidiagonal that is computed, and the two before it
  std::vector<Cell> last_;
  std::vector<Cell> before_;
  std::vector<Cell> left_bits_;       // per row, of the last antidiagonals
  std::vector<Cell> came_from_left_;  // the same, kept: kBits antidiagonals a block
};

}  // namespace

Result<Alignment> Align(std::u32string_view pattern, std::u32string_view text) {
  if (std::uint64_t{pattern.size()} * (pattern.size() + text.size()) > limits::kAlignCellsMax) {
    return Error{ErrorCode::kLimit,
                 fmt::format("a template of {} characters and an answer of {} are too long to be aligned",
                             pattern.size(), text.size())};
  }
  constexpr std::size_t kNarrowColumns = std::size_t{1} << 16;
  constexpr std::size_t kNarrowLength = std::size_t{1} << 15;
  if (text.size() < kNarrowColumns && std::min(pattern.size(), text.size()) < kNarrowLength) {
    return Table<std::int32_t>(pattern, text).Run();
  }
  return Table<std::int64_t>(pattern, text).Run();
}

}  // namespace assay
