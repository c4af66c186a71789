// CellSource: which cells a sitting works on, in plan order (docs/decisions/0061). PlanCells: the cells of a
// plan that are not finished.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spec/report/cell_grid.h"
#include "spec/report/cell_query.h"

namespace assay {

struct Suite;

struct SourcedCells {
  enum class State {
    kCells,  // these are the next
    kLater,  // there may be more: ask again when something has happened, or after a while
    kEnd,    // there are no more
  };
  State state = State::kEnd;
  std::vector<CellIndex> cells = {};  // kCells: at least one
};

struct RetiredCell {
  CellAddress address;
  bool was_asked = true;                    // false: nobody was, for the run's own reasons
  std::optional<CellOutcome> outcome = {};  // absent: it was not asked, or nobody makes columns
};

// Loop thread only.
class CellSource {
 public:
  virtual ~CellSource() = default;
  virtual SourcedCells Next(std::size_t most) = 0;
  // These came to their end; the store learns it next.
  virtual void Retired(std::span<const RetiredCell>) {}
  // What these came to is in the store.
  virtual void Done(std::span<const CellIndex> cells) = 0;
};

// The cells of a plan, each once, without those that are finished.
class PlanCells final : public CellSource {
 public:
  // `finished`: by index; shorter: the others are not. Everything is borrowed but `finished`.
  PlanCells(const CellGrid& grid, const Suite& suite, std::vector<bool> finished = {});

  SourcedCells Next(std::size_t most) override;
  void Done(std::span<const CellIndex>) override {}

 private:
  CellWalk walk_;
  std::vector<bool> finished_;
};

}  // namespace assay
