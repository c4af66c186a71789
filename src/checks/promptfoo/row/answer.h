// What the assertions of an answer look at.
#pragma once

#include "checks/check.h"
#include "checks/promptfoo/row/rule.h"

namespace assay::promptfoo {

// With the suite's own transforms applied, once an answer. It borrows from the rule and the worker. An error
// makes the whole test one.
Result<AssertionInput> AssertionInputOf(const GradeInput& grade, const AssertionRule& rule,
                                        WorkerState& worker);

}  // namespace assay::promptfoo
