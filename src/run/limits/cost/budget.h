// Budget: what calls may cost in all. The dispatcher reserves the worst that a call may cost right before it
// is sent, and settles what it did cost when it came back. In this process it is the Ledger (ledger.h); where
// several processes spend one budget, something else stands behind the same face (docs/decisions/0060).
// Money is in billionths of a US dollar. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "spec/run/run_cost.h"

namespace assay {

struct CallCost {
  std::int64_t tokens = 0;               // input and output
  std::optional<std::int64_t> nano_usd;  // absent: the price is not known
};

struct BudgetLimits {
  std::optional<std::int64_t> nano_usd;
  std::optional<std::int64_t> tokens;
  bool IsSet() const { return nano_usd || tokens; }
};

// What did not fit into a budget.
struct Shortfall {
  BudgetLimits limits;
  CallCost left;   // of it, when the first call did not fit
  CallCost first;  // what that call may cost
  CallCost all;    // what all of them may cost
  std::uint64_t calls = 0;
};

class Budget {
 public:
  enum class Grant {
    kGiven,    // it is reserved
    kLater,    // calls under way may turn out cheaper: ask again when one of them has come back
    kSpent,    // it does not fit
    kNoPrice,  // nobody knows what it costs, and money is limited
  };

  virtual ~Budget() = default;
  // Whether a call that costs `worst` stays within the limits even if all that is reserved is spent.
  virtual Grant Reserve(const CallCost& worst) = 0;
  // The call that `worst` was reserved for came back, or was not sent after all; `actual` is what it cost.
  virtual void Settle(const CallCost& worst, const CallCost& actual) = 0;
  virtual BudgetLimits limits() const = 0;
  virtual CallCost left() const = 0;  // of the limits, as far as nothing is reserved
};

}  // namespace assay
