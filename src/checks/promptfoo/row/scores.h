// Results of assertions as the score of their check.
#pragma once

#include "checks/promptfoo/row/rule.h"
#include "spec/score/score.h"

namespace assay::promptfoo {

// Results of the rule's leaves, in their order, each of which has one.
Score ScoreOfResults(const AssertionRule& rule, const std::vector<AssertionResult>& results,
                     const AssertionInput& input);

}  // namespace assay::promptfoo
