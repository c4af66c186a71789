// Assertions that compare the outputs of one row of a table, once all of its columns are done. Pure; any
// thread. Spec: promptfoo 7.2 and 9.
#pragma once

#include <vector>

#include "checks/promptfoo/aggregate.h"

namespace assay::promptfoo {

// select-best: of so many outputs the one whose index a grader's reply names first wins. One result for each.
std::vector<AssertionResult> SelectBest(const Value& criteria, const Value& reply, std::size_t outputs);

// max-score: the output whose other assertions come to most wins, of several the first. `assertion` has
// {method: average or sum, weights: {type: number}, threshold}, all of them optional. An error if it has
// others.
Result<std::vector<AssertionResult>> SelectMaxScore(const Assertion& assertion,
                                                    const std::vector<const TestResult*>& outputs);

// What the verdict on a column does to its test: a loser fails with a score of 0.
void AddColumnResult(const Assertion& assertion, const AssertionResult& result, TestResult& test);

}  // namespace assay::promptfoo
