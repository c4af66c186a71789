// What fits a budget.
#include "run/limits/ledger.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("a call fits while the worst of all that is under way does") {
  Ledger ledger({.nano_usd = 100, .tokens = {}});
  const CallCost call{.tokens = 10, .nano_usd = 40};
  CHECK(ledger.Fits(call));
  ledger.Reserve(call);
  ledger.Reserve(call);
  CHECK_FALSE(ledger.Fits(call));
  CHECK(ledger.Fits({.tokens = 1'000'000, .nano_usd = 20}));
  ledger.Settle(call, {.tokens = 3, .nano_usd = 5});
  CHECK(ledger.Fits(call));
  CHECK(ledger.HasReservations());
  ledger.Settle(call, {.tokens = 10, .nano_usd = 40});
  CHECK_FALSE(ledger.HasReservations());
  CHECK(ledger.spent_nano_usd() == 45);
  CHECK(ledger.spent_tokens() == 13);
}

TEST_CASE("without a price no call fits a budget of money; a budget of tokens does not mind") {
  CHECK_FALSE(Ledger({.nano_usd = 100, .tokens = {}}).Fits({.tokens = 1, .nano_usd = {}}));
  CHECK(Ledger({.nano_usd = {}, .tokens = 1}).Fits({.tokens = 1, .nano_usd = {}}));
  CHECK_FALSE(Ledger({.nano_usd = {}, .tokens = 1}).Fits({.tokens = 2, .nano_usd = 0}));
  CHECK(Ledger({.nano_usd = {}, .tokens = {}}).Fits({.tokens = 2, .nano_usd = {}}));
}

}  // namespace assay
