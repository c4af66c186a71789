// The beginning and the end of every assertion, whoever grades it.
#pragma once

#include "checks/promptfoo/table.h"

namespace assay::promptfoo {

// Applies the transform, and fills the value in.
Result<AssertionCall> CallOf(const Assertion& assertion, const AssertionInput& input);
// Clamps the score where our rules count, and passes what has no weight.
Status Finish(const Assertion& assertion, const AssertionInput& input, AssertionResult& result);

}  // namespace assay::promptfoo
