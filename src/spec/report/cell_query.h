// CellQuery and CellRange: which cells of a run a reader asks for (ranges of cases and variants, states), and
// in which order.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/errors/result.h"
#include "spec/ids.h"
#include "spec/report/cell_grid.h"
#include "spec/suite/suite_rules.h"

namespace assay {

// kPartial: graded in part, since a point has no verdict that asking again can give; outside every mean.
// Persisted: do not renumber.
enum class CellState { kScored = 0, kUnscored = 1, kError = 2, kSkipped = 3, kPartial = 4 };
inline constexpr int kCellStates = 5;

// What the checks of one attempt say together.
struct CellOutcome {
  CellState state = CellState::kUnscored;
  // kScored: the aggregation's, usually in [0, 1]; NaN only where a dialect's compatible mode demands it.
  double value = 0;
  // kPartial: the aggregation's without what is missing. Only for files of a format whose own tools count
  // such cells.
  std::optional<double> partial = {};
};

// What cells are found and sorted by without reading their scores.
struct CellColumns {
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  CellOutcome outcome;
  double weight = 1;  // of its case, in the mean of the variant
};

// Half-open; ends beyond what there is are cut.
struct CellRange {
  CaseIndex first_case = 0;
  CaseIndex last_case = std::numeric_limits<CaseIndex>::max();
  VariantIndex first_variant = 0;
  VariantIndex last_variant = std::numeric_limits<VariantIndex>::max();
  AttemptIndex attempts = std::numeric_limits<AttemptIndex>::max();  // of each pair, only the first so many
  using Order = CellOrder;
  Order order = Order::kByCase;

  bool Has(CaseIndex index, VariantIndex variant) const {
    return index >= first_case && index < last_case && variant >= first_variant && variant < last_variant;
  }
  static CellRange All() { return {}; }
  static CellRange OfCase(CaseIndex index) { return {.first_case = index, .last_case = index + 1}; }
  static CellRange OfVariant(VariantIndex variant) {
    return {.first_variant = variant, .last_variant = variant + 1};
  }
  static CellRange OfPair(CaseIndex index, VariantIndex variant) {
    return {
        .first_case = index, .last_case = index + 1, .first_variant = variant, .last_variant = variant + 1};
  }
};

// One page of cells that have an outcome.
struct CellQuery {
  CellRange cells = {};                // its order is not looked at
  std::vector<CellState> states = {};  // empty: all
  std::optional<double> below = {};    // of the scored ones only those with a lower score, or NaN
  // By score: first the scored, then the partial ones by what they have, then those without any; equal ones
  // in plan order. kHighestFirst turns the order within the first two about, also among equal ones.
  enum class Order { kPlan, kLowestFirst, kHighestFirst };
  Order order = Order::kPlan;
  std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
  std::optional<CellIndex> after = {};  // the last cell of the page before
};

struct CellRow {
  CellIndex cell = 0;
  CellAddress address;
  CellOutcome outcome;
};

}  // namespace assay
