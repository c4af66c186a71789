// CellGrid: converts between the number of a cell and its (case, variant, attempt), by arithmetic over the
// suite, so that a million cells need no table of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/ids.h"

namespace assay {

struct Suite;

using CellIndex = std::uint64_t;  // case-major, then variant, then attempt: the order of every report

struct CellAddress {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  friend bool operator==(const CellAddress&, const CellAddress&) = default;
};

// Neighbours by number, the last one excluded.
struct CellSpan {
  CellIndex first = 0;
  CellIndex last = 0;
  CellIndex size() const { return last - first; }
};

class CellGrid {
 public:
  CellGrid() = default;
  // Nothing if the suite has more than limits::kCellsMax cells. `suite` is borrowed and must stay where it
  // is.
  static std::optional<CellGrid> Of(const Suite& suite);

  CellIndex count() const { return first_cells_.empty() ? 0 : first_cells_.back(); }
  CellAddress At(CellIndex cell) const;
  CellIndex IndexOf(const CellAddress& address) const;
  AttemptIndex AttemptsOf(CaseIndex case_index) const;
  std::uint32_t VariantsOf(CaseIndex case_index) const;  // that the case asks
  CellSpan OfCase(CaseIndex case_index) const;
  // The cells of the case whose variants are in [first, last); none if it asks none of them.
  CellSpan Of(CaseIndex case_index, VariantIndex first, VariantIndex last) const;

 private:
  std::size_t PositionOf(CaseIndex case_index, VariantIndex variant) const;  // of the first not below it

  const Suite* suite_ = nullptr;
  std::vector<CellIndex> first_cells_;  // by case, and the end of the last
};

// All cells of a grid, one after the other.
class CellWalk {
 public:
  // Both are borrowed.
  CellWalk(const CellGrid& grid, const Suite& suite) : grid_(grid), suite_(suite) {}
  // The next cell in the suite's order; nothing after the last.
  std::optional<CellIndex> Next();

 private:
  void EnterSpan();

  const CellGrid& grid_;
  const Suite& suite_;
  CellIndex taken_ = 0;
  CellSpan span_;  // what is left of one case, or of one case and variant
  CaseIndex next_case_ = 0;
  VariantIndex variant_ = 0;
};

}  // namespace assay
