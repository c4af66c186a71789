// The ledger of a budget: what was spent, what calls under way may still cost, and whether one more fits.
// Money is in billionths of a US dollar. Loop thread only; one ledger may outlive several runs.
#pragma once

#include <cstdint>
#include <optional>

namespace assay {

inline constexpr double kNanoPerUsd = 1e9;

struct CallCost {
  std::int64_t tokens = 0;               // input and output
  std::optional<std::int64_t> nano_usd;  // absent: the price is not known
};

struct Budget {
  std::optional<std::int64_t> nano_usd;
  std::optional<std::int64_t> tokens;
  bool IsSet() const { return nano_usd || tokens; }
};

// What did not fit into a budget.
struct Shortfall {
  Budget budget;
  CallCost left;   // of it, when the first call did not fit
  CallCost first;  // what that call may cost
  CallCost all;    // what all of them may cost
  std::uint64_t calls = 0;
};

class Ledger {
 public:
  explicit Ledger(const Budget& budget) : budget_(budget) {}

  const Budget& budget() const { return budget_; }
  // Whether a call that costs `worst` stays within the budget even if all that is reserved is spent. A call
  // without a price never fits a budget of money.
  bool Fits(const CallCost& worst) const;
  bool HasReservations() const { return reservations_ > 0; }
  void Reserve(const CallCost& worst);
  // The call that `worst` was reserved for came back; `actual` is what it cost.
  void Settle(const CallCost& worst, const CallCost& actual);
  std::int64_t spent_nano_usd() const { return spent_nano_usd_; }
  std::int64_t spent_tokens() const { return spent_tokens_; }

 private:
  Budget budget_;
  std::uint64_t reservations_ = 0;
  std::int64_t reserved_nano_usd_ = 0;
  std::int64_t reserved_tokens_ = 0;
  std::int64_t spent_nano_usd_ = 0;
  std::int64_t spent_tokens_ = 0;
};

}  // namespace assay
