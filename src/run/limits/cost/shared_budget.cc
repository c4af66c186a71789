// Reserves from what was drawn, and draws more where a call does not fit.
#include "run/limits/cost/shared_budget.h"

#include <algorithm>

#include "base/errors/assert.h"

namespace assay {

namespace {

constexpr std::chrono::seconds kAgainAfter{1};  // others may give something back
constexpr std::chrono::seconds kUnusedAfter{1};

Spending operator+(const Spending& a, const Spending& b) {
  return {.nano_usd = a.nano_usd + b.nano_usd, .tokens = a.tokens + b.tokens};
}

Spending SpendingOf(const CallCost& cost) {
  return {.nano_usd = cost.nano_usd.value_or(0), .tokens = cost.tokens};
}

}  // namespace

Spending SharedBudget::Held() const { return spent_ + reserved_; }

Spending SharedBudget::Rest() const {
  const Spending held = Held();
  return {.nano_usd = taken_.nano_usd - held.nano_usd, .tokens = taken_.tokens - held.tokens};
}

// A call without a price never fits a budget of money.
bool SharedBudget::Fits(const CallCost& worst, const Spending& rest) const {
  if (limits_.tokens && worst.tokens > rest.tokens) return false;
  return !limits_.nano_usd || (worst.nano_usd && *worst.nano_usd <= rest.nano_usd);
}

void SharedBudget::Take() {
  const std::optional<BudgetDraw> draw = seat_.TakeBudget();
  if (!draw) return;
  is_drawing_ = false;
  taken_ = draw->taken;
  last_ = draw;
  last_at_ = clock_.Now();
}

void SharedBudget::Draw(const Spending& needed) {
  is_drawing_ = true;
  seat_.Draw(BudgetWish{.held = Held(), .needed = needed});
  Take();  // where there is no thread it is there
}

// Nothing is reserved while a draw is under way: the rest of what this process has may have gone back.
Budget::Grant SharedBudget::Reserve(const CallCost& worst) {
  if (limits_.nano_usd && !worst.nano_usd) return Grant::kNoPrice;
  const TimePoint now = used_at_ = clock_.Now();
  Take();
  if (is_drawing_) return Grant::kLater;
  if (Fits(worst, Rest())) {
    ++reservations_;
    reserved_ = reserved_ + SpendingOf(worst);
    return Grant::kGiven;
  }
  const bool is_known = last_ && now - last_at_ < kAgainAfter && !Fits(worst, last_->left + Rest());
  if (is_known) return last_->others_hold || reservations_ > 0 ? Grant::kLater : Grant::kSpent;
  Draw(SpendingOf(worst));
  return Grant::kLater;
}

void SharedBudget::Settle(const CallCost& worst, const CallCost& actual) {
  ASSAY_ASSERT(reservations_ > 0);
  --reservations_;
  const Spending was = SpendingOf(worst);
  reserved_ = {.nano_usd = reserved_.nano_usd - was.nano_usd, .tokens = reserved_.tokens - was.tokens};
  spent_ = spent_ + SpendingOf(actual);
  last_.reset();
}

CallCost SharedBudget::left() const {
  const Spending left = Rest() + (last_ ? last_->left : Spending());
  return {.tokens = std::max<std::int64_t>(left.tokens, 0),
          .nano_usd = std::max<std::int64_t>(left.nano_usd, 0)};
}

void SharedBudget::Tidy(bool ends) {
  Take();
  const Spending rest = Rest();
  const bool has_rest = rest.nano_usd > 0 || rest.tokens > 0;
  const bool is_idle = reservations_ == 0 && clock_.Now() - used_at_ > kUnusedAfter;
  if (has_rest && (ends || (is_idle && !is_drawing_))) Draw({});
}

}  // namespace assay
