// Tests of which calls fit a budget.
#include "run/limits/cost/ledger.h"

#include <doctest/doctest.h>

namespace assay {

using Grant = Budget::Grant;

TEST_CASE("a call fits while the worst of all that is under way does") {
  Ledger ledger({.nano_usd = 100, .tokens = {}});
  const CallCost call{.tokens = 10, .nano_usd = 40};
  CHECK(ledger.Reserve(call) == Grant::kGiven);
  CHECK(ledger.Reserve(call) == Grant::kGiven);
  CHECK(ledger.Reserve(call) == Grant::kLater);
  CHECK(ledger.Reserve({.tokens = 1'000'000, .nano_usd = 20}) == Grant::kGiven);
  ledger.Settle({.tokens = 1'000'000, .nano_usd = 20}, {.tokens = 0, .nano_usd = 0});
  ledger.Settle(call, {.tokens = 3, .nano_usd = 5});
  CHECK(ledger.Reserve(call) == Grant::kGiven);
  ledger.Settle(call, {.tokens = 10, .nano_usd = 40});
  ledger.Settle(call, {.tokens = 10, .nano_usd = 40});
  CHECK(ledger.spent_nano_usd() == 85);
  CHECK(ledger.spent_tokens() == 23);
}

TEST_CASE("what does not fit while nothing is under way never will") {
  Ledger ledger({.nano_usd = {}, .tokens = 15});
  const CallCost call{.tokens = 10, .nano_usd = {}};
  CHECK(ledger.Reserve(call) == Grant::kGiven);
  CHECK(ledger.Reserve(call) == Grant::kLater);
  ledger.Settle(call, call);
  CHECK(ledger.Reserve(call) == Grant::kSpent);
  CHECK(ledger.left().tokens == 5);
}

TEST_CASE("without a price no call fits a budget of money; a budget of tokens does not mind") {
  CHECK(Ledger({.nano_usd = 100, .tokens = {}}).Reserve({.tokens = 1, .nano_usd = {}}) == Grant::kNoPrice);
  CHECK(Ledger({.nano_usd = {}, .tokens = 1}).Reserve({.tokens = 1, .nano_usd = {}}) == Grant::kGiven);
  CHECK(Ledger({.nano_usd = {}, .tokens = 1}).Reserve({.tokens = 2, .nano_usd = 0}) == Grant::kSpent);
  CHECK(Ledger({.nano_usd = {}, .tokens = {}}).Reserve({.tokens = 2, .nano_usd = {}}) == Grant::kGiven);
}

}  // namespace assay
