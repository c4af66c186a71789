// Checks before a run what the parameters of a plan's models become as requests: errors for limits that leave
// no room, warnings for variants that become the same request.
#pragma once

#include "base/errors/diagnostics.h"
#include "providers/facts/model_facts.h"
#include "spec/suite/suite.h"

namespace assay {

// Adds to `diagnostics`
//   plan.thinking-tokens  an error: a model shall think with as many tokens as its reply may have, or more
//   plan.same-request     a warning: variants that differ become one request, since their model takes no
//                         temperature (beside its thoughts), has no such effort, and so on
void CheckModelRequests(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics);

}  // namespace assay
