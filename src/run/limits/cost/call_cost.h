// Computes the most that a call may cost before it is sent, and what it did cost afterwards. Pure.
#pragma once

#include "providers/facts/model_facts.h"
#include "run/limits/cost/budget.h"
#include "run/wire/router.h"
#include "spec/exchange/exchange.h"

namespace assay {

// The bound that a budget reserves: half a token for each byte of text (no tokeniser of today makes more of
// ordinary text), and the longest reply that the request allows. Recordings, services and programs cost
// nothing that could be known here.
CallCost WorstCost(const PreparedRequest& prepared, const ModelBook& models);
// Of the usage or the cost that the reply states; nothing if it states neither.
std::optional<CallCost> ActualCost(const Request& request, const Usage& usage, const ModelBook& models);
// Of a reply that says nothing of its usage: guessed from the lengths of question and answer, four bytes a
// token. No money without a price.
CallCost EstimatedCost(const Request& request, const Reply& reply, const ModelBook& models);

}  // namespace assay
