// Converts options and settings to the limits of a run (RunLimits, BudgetLimits) and of its store, and
// refuses models without a known price under a budget in money.
#pragma once

#include <chrono>

#include "base/errors/diagnostics.h"
#include "engine/grants/granted.h"
#include "plan/plan.h"
#include "providers/facts/price.h"
#include "run/limits/cost/budget.h"
#include "run/limits/run_limits.h"
#include "store/store.h"

namespace assay {

// Of an option that is given in seconds.
std::chrono::milliseconds Milliseconds(double seconds);

// How a command opens the store; with the time that --store-timeout gives it.
StoreOptions StoreOptionsOf(const Granted& granted);

RunLimits RunLimitsOf(const Granted& granted);
BudgetLimits BudgetOf(const CallRules& calls);

// Under a budget of money: an error for every model that the plan may ask and whose price is not known.
// Nothing is sent.
void RefuseUnpriced(const Plan& plan, const ModelBook& models, Diagnostics& diagnostics);

}  // namespace assay
