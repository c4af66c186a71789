// Reserves the worst cost of a call, and settles the actual one.
#include "run/limits/cost/ledger.h"

#include <algorithm>

#include "base/errors/assert.h"

namespace assay {

// A call without a price never fits a budget of money.
bool Ledger::Fits(const CallCost& worst) const {
  if (limits_.tokens && spent_tokens_ + reserved_tokens_ + worst.tokens > *limits_.tokens) return false;
  if (!limits_.nano_usd) return true;
  return worst.nano_usd && spent_nano_usd_ + reserved_nano_usd_ + *worst.nano_usd <= *limits_.nano_usd;
}

Budget::Grant Ledger::Reserve(const CallCost& worst) {
  if (!Fits(worst)) {
    if (limits_.nano_usd && !worst.nano_usd) return Grant::kNoPrice;
    return HasReservations() ? Grant::kLater : Grant::kSpent;
  }
  ++reservations_;
  reserved_tokens_ += worst.tokens;
  reserved_nano_usd_ += worst.nano_usd.value_or(0);
  return Grant::kGiven;
}

void Ledger::Settle(const CallCost& worst, const CallCost& actual) {
  ASSAY_ASSERT(reservations_ > 0);
  --reservations_;
  reserved_tokens_ -= worst.tokens;
  reserved_nano_usd_ -= worst.nano_usd.value_or(0);
  spent_tokens_ += actual.tokens;
  spent_nano_usd_ += actual.nano_usd.value_or(0);
}

CallCost Ledger::left() const {
  return {.tokens = std::max<std::int64_t>(limits_.tokens.value_or(0) - spent_tokens_, 0),
          .nano_usd = std::max<std::int64_t>(limits_.nano_usd.value_or(0) - spent_nano_usd_, 0)};
}

}  // namespace assay
