// SharedUntilCells: the cells of a run that may end early and on which several processes work. The
// coordinator hands out ranges in the order of asking, up to the next look. Each process makes every look by
// itself, over what the store has: all of them see the same.
#pragma once

#include <map>

#include "base/clock.h"
#include "engine/run/until_cells.h"
#include "run/executor/cells/shared_cells.h"

namespace assay {

// The order in which such a run asks. First what some question needs, case by case, and then the rest.
struct UntilOrder {
  CellPlaces places;
  std::vector<std::uint64_t> starts;  // by place of a case: of its cells; and the end of the last one
};
UntilOrder UntilOrderOf(const Plan& plan, const StopRule& rule, std::int64_t shards);

struct SharedUntilWorld {
  SharedCells& seat;
  const UntilOrder& order;
  const Clock& clock;
};

class SharedUntilCells final : public UntilCells {
 public:
  // As UntilCells. The seat's cells are in `order`.
  SharedUntilCells(UntilWorld world, SharedUntilWorld shared, std::vector<bool> finished,
                   std::span<const std::pair<CellIndex, CellOutcome>> outcomes);

  SourcedCells Next(std::size_t most) override;
  void Retired(std::span<const RetiredCell> cells) override;
  void Done(std::span<const CellIndex> cells) override;

 private:
  enum class Use { kAsk, kWait, kNeedless };
  Use UseOf(CellIndex cell, std::uint64_t last, std::size_t more) const;
  void Choose(std::size_t most, std::uint64_t last, std::vector<CellIndex>& chosen);
  SourcedCells End();
  void TakeNews();
  void AskForNews(std::uint64_t last);
  std::vector<std::uint64_t> OpenPlaces(std::uint64_t last);
  std::size_t AheadOfAll() const;

  const SharedUntilWorld shared_;
  std::vector<std::uint64_t> place_of_;         // by case
  std::deque<CellIndex> ready_;                 // of the seat's ranges
  std::map<CellIndex, CellOutcome> to_commit_;  // came to their end, and are not in the store yet
  std::uint64_t heard_to_ = 0;                  // no case before this place can bring news
  TimePoint next_question_{};
  TimePoint skipped_since_ = kNever;  // a cell that is needed is seen to be skipped
  bool asked_at_end_ = false;         // the question under way was put when all ranges were finished
  bool is_all_heard_ = false;         // nothing more will come
};

}  // namespace assay
