// SharedBudget: one budget that several processes of a run spend. Each draws a part of what nobody has,
// spends it, and draws again; what it does not need goes back. Loop thread only.
#pragma once

#include <chrono>

#include "base/clock.h"
#include "run/executor/cells/shared_cells.h"
#include "run/limits/cost/budget.h"

namespace assay {

class SharedBudget final : public Budget {
 public:
  // The seat was taken with these limits. Both outlive it.
  SharedBudget(const BudgetLimits& limits, const Clock& clock, SharedCells& seat)
      : limits_(limits), clock_(clock), seat_(seat) {}

  Grant Reserve(const CallCost& worst) override;
  void Settle(const CallCost& worst, const CallCost& actual) override;
  BudgetLimits limits() const override { return limits_; }
  CallCost left() const override;
  // Now and then: what is not used goes back. `ends`: whatever is left.
  void Tidy(bool ends);

 private:
  Spending Held() const;
  bool Fits(const CallCost& worst, const Spending& rest) const;
  Spending Rest() const;  // of what was drawn
  void Take();
  void Draw(const Spending& needed);

  const BudgetLimits limits_;
  const Clock& clock_;
  SharedCells& seat_;
  Spending taken_;     // what this process may spend
  Spending spent_;
  Spending reserved_;  // for calls under way
  std::uint64_t reservations_ = 0;
  bool is_drawing_ = false;
  std::optional<BudgetDraw> last_;  // what came last; absent: since then a call has cost less than was feared
  TimePoint last_at_{};
  TimePoint used_at_{};  // when it was asked last
};

}  // namespace assay
