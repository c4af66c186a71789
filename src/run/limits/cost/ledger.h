// Ledger: the budget of one process: what was spent, what calls under way may still cost, and whether one
// more fits. Loop thread only; one ledger may outlive several runs.
#pragma once

#include "run/limits/cost/budget.h"

namespace assay {

class Ledger final : public Budget {
 public:
  explicit Ledger(const BudgetLimits& limits) : limits_(limits) {}

  Grant Reserve(const CallCost& worst) override;
  void Settle(const CallCost& worst, const CallCost& actual) override;
  BudgetLimits limits() const override { return limits_; }
  CallCost left() const override;
  bool HasReservations() const { return reservations_ > 0; }
  std::int64_t spent_nano_usd() const { return spent_nano_usd_; }
  std::int64_t spent_tokens() const { return spent_tokens_; }

 private:
  bool Fits(const CallCost& worst) const;

  BudgetLimits limits_;
  std::uint64_t reservations_ = 0;
  std::int64_t reserved_nano_usd_ = 0;
  std::int64_t reserved_tokens_ = 0;
  std::int64_t spent_nano_usd_ = 0;
  std::int64_t spent_tokens_ = 0;
};

}  // namespace assay
