// Checks before a run what the parameters of a plan's models become as requests: errors for limits that leave
// no room, warnings for variants that become the same request.
#pragma once

#include "base/errors/diagnostics.h"
#include "providers/facts/model_facts.h"
#include "spec/suite/media.h"
#include "spec/suite/model_ref.h"

namespace assay {

struct Suite;

// Adds to `diagnostics`
//   plan.thinking-tokens  an error: a model shall think with as many tokens as its reply may have, or more
//   plan.same-request     a warning: variants that differ become one request, since their model takes no
//                         temperature (beside its thoughts), has no such effort, and so on
//   plan.media            an error: a case has a picture, a document or sound for a model that takes none
//   plan.schema           an error: a case has a JSON Schema for answers, and a model that takes none
//   plan.judge-media      a warning: a judge that takes none reads that it was there
void CheckModelRequests(const Suite& suite, const ModelBook& models, Diagnostics& diagnostics);

// The same book, with the facts of the suite's models at hand.
ModelBook WithModelsOf(const Suite& suite, ModelBook models);

// The parts of messages that a model takes, as far as anybody knows: by its protocol and by its facts.
MediaKinds MediaTakenBy(const ModelRef& ref, const ModelBook& models);

}  // namespace assay
