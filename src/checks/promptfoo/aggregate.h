// What a test's assertions come to together: weights, sets, thresholds and metrics. Pure; any thread. Spec:
// promptfoo 9.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checks/promptfoo/assertion.h"

namespace assay::promptfoo {

// One assertion, or a set of them that counts as one.
struct AssertionItem {
  std::vector<Assertion> assertions;  // one, unless it is a set
  bool is_set = false;
  Value threshold = {};  // of the set
  double weight = 1;     // of the set
  std::string metric = {};
};

struct TestAssertions {
  std::vector<AssertionItem> items;
  Value threshold = {};

  // Those that have a result of their own, in order: not those that compare columns.
  std::vector<const Assertion*> Leaves() const;
};

// An error with its place for each assertion that is none.
Result<TestAssertions> ReadAssertions(const List& written, const Value& threshold);

struct TestComponent {
  std::string type;  // of the assertion, as written; "": a set
  AssertionResult result;
  bool compares_columns = false;
};

struct TestResult {
  bool pass = false;
  double score = 0;
  std::string reason;
  std::vector<std::pair<std::string, double>> named_scores = {};
  std::vector<std::pair<std::string, double>> named_weights = {};
  std::vector<TestComponent> components = {};  // a set before its members
};

// Adds the results of Leaves() up. An error where a metric's name cannot be filled in.
Result<TestResult> AddUp(const TestAssertions& test, const std::vector<AssertionResult>& results,
                         const AssertionInput& input);

// Runs assertions that ask no model, and adds them up. An error of one is an error of the test.
Result<TestResult> RunTest(const TestAssertions& test, const AssertionInput& input);

}  // namespace assay::promptfoo
