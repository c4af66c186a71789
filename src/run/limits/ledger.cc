// Reserving and settling.
#include "run/limits/ledger.h"

#include "base/assert.h"

namespace assay {

bool Ledger::Fits(const CallCost& worst) const {
  if (budget_.tokens && spent_tokens_ + reserved_tokens_ + worst.tokens > *budget_.tokens) return false;
  if (!budget_.nano_usd) return true;
  return worst.nano_usd && spent_nano_usd_ + reserved_nano_usd_ + *worst.nano_usd <= *budget_.nano_usd;
}

void Ledger::Reserve(const CallCost& worst) {
  ++reservations_;
  reserved_tokens_ += worst.tokens;
  reserved_nano_usd_ += worst.nano_usd.value_or(0);
}

void Ledger::Settle(const CallCost& worst, const CallCost& actual) {
  ASSAY_ASSERT(reservations_ > 0);
  --reservations_;
  reserved_tokens_ -= worst.tokens;
  reserved_nano_usd_ -= worst.nano_usd.value_or(0);
  spent_tokens_ += actual.tokens;
  spent_nano_usd_ += actual.nano_usd.value_or(0);
}

}  // namespace assay
