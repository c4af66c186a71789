// Computes cell numbers from the first cell of each case.
#include "spec/report/cell_grid.h"

#include <algorithm>

#include "base/errors/assert.h"
#include "base/limits.h"
#include "spec/suite/suite.h"

namespace assay {

std::optional<CellGrid> CellGrid::Of(const Suite& suite) {
  CellGrid grid;
  grid.suite_ = &suite;
  grid.first_cells_.reserve(suite.cases.size() + 1);
  CellIndex count = 0;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    grid.first_cells_.push_back(count);
    const CellIndex cells = CellIndex{grid.VariantsOf(i)} * grid.AttemptsOf(i);
    if (cells > limits::kCellsMax - count) return std::nullopt;
    count += cells;
  }
  grid.first_cells_.push_back(count);
  return grid;
}

AttemptIndex CellGrid::AttemptsOf(CaseIndex case_index) const {
  return suite_->cases[case_index].attempts.value_or(suite_->attempts);
}

std::uint32_t CellGrid::VariantsOf(CaseIndex case_index) const {
  const std::vector<VariantIndex>& chosen = suite_->cases[case_index].variants;
  return static_cast<std::uint32_t>(chosen.empty() ? suite_->variants.size() : chosen.size());
}

std::size_t CellGrid::PositionOf(CaseIndex case_index, VariantIndex variant) const {
  const std::vector<VariantIndex>& chosen = suite_->cases[case_index].variants;
  if (chosen.empty()) return std::min<std::size_t>(variant, suite_->variants.size());
  return static_cast<std::size_t>(std::lower_bound(chosen.begin(), chosen.end(), variant) - chosen.begin());
}

CellAddress CellGrid::At(CellIndex cell) const {
  ASSAY_ASSERT(cell < count());
  const auto after = std::upper_bound(first_cells_.begin(), first_cells_.end(), cell);
  const auto case_index = static_cast<CaseIndex>(after - first_cells_.begin() - 1);
  const CellIndex within = cell - first_cells_[case_index];
  const AttemptIndex attempts = AttemptsOf(case_index);
  const std::vector<VariantIndex>& chosen = suite_->cases[case_index].variants;
  const auto position = static_cast<VariantIndex>(within / attempts);
  return {.case_index = case_index,
          .variant = chosen.empty() ? position : chosen[position],
          .attempt = static_cast<AttemptIndex>(within % attempts)};
}

CellIndex CellGrid::IndexOf(const CellAddress& address) const {
  ASSAY_ASSERT(suite_->cases[address.case_index].Asks(address.variant));
  return first_cells_[address.case_index] +
         PositionOf(address.case_index, address.variant) * AttemptsOf(address.case_index) + address.attempt;
}

CellSpan CellGrid::OfCase(CaseIndex case_index) const {
  return {first_cells_[case_index], first_cells_[case_index + 1]};
}

CellSpan CellGrid::Of(CaseIndex case_index, VariantIndex first, VariantIndex last) const {
  const CellIndex start = first_cells_[case_index];
  const AttemptIndex attempts = AttemptsOf(case_index);
  const CellIndex begin = start + PositionOf(case_index, first) * attempts;
  return {begin, std::max(begin, start + PositionOf(case_index, last) * attempts)};
}

std::optional<CellIndex> CellWalk::Next() {
  if (taken_ == grid_.count()) return std::nullopt;
  if (suite_.order == CellOrder::kByCase) return taken_++;
  while (span_.size() == 0) EnterSpan();
  ++taken_;
  return span_.first++;
}

void CellWalk::EnterSpan() {
  if (next_case_ == suite_.cases.size()) {
    next_case_ = 0;
    ++variant_;
  }
  span_ = grid_.Of(next_case_++, variant_, variant_ + 1);
}

}  // namespace assay
