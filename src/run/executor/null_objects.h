// Null objects of ExecutorDeps: who runs no program, limits no spending, and shares a run with nobody.
// Stateless; any thread.
#pragma once

#include "base/wire/transport.h"
#include "run/limits/cost/budget.h"
#include "store/coordinator.h"

namespace assay {

// Refuses every program: kUnsupported.
Launcher& NoLauncher();
// Grants every call.
Budget& NoBudget();
// No call is claimed, since nobody else makes any.
CallClaims& NoClaims();

}  // namespace assay
