// What a call may cost before it is sent, and what it did cost afterwards. Pure.
#pragma once

#include "providers/facts/model_facts.h"
#include "run/limits/cost/budget.h"
#include "run/wire/router.h"
#include "spec/exchange/exchange.h"

namespace assay {

// What a service takes money for.
BilledTokens BilledTokensOf(const Usage& usage);
// The bound that a budget reserves: half a token for each byte of text (no tokeniser of today makes more of
// ordinary text), and the longest reply that the request allows. Recordings, services and programs cost
// nothing that could be known here.
CallCost WorstCost(const PreparedRequest& prepared, const ModelBook& models);
// Of the usage that the reply states; nothing if it states none.
std::optional<CallCost> ActualCost(const Request& request, const Usage& usage, const ModelBook& models);

}  // namespace assay
