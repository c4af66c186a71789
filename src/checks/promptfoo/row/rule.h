// AssertionRule: the arguments of the check `assertion`, read: an assertion or a set of them, and who grades
// each.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "checks/check.h"
#include "checks/promptfoo/aggregate.h"
#include "checks/promptfoo/graders/grader.h"

namespace assay::promptfoo {

// Who grades an assertion: places among the judges that its check names.
struct LeafGraders {
  std::optional<std::size_t> text;
  std::optional<std::size_t> embedding;
  GraderCalls calls = {};
};

// Immutable; all workers share it.
struct AssertionRule {
  TestAssertions test;               // of one item
  std::vector<LeafGraders> graders;  // of TestAssertions::Leaves, in their order
  AssertionPolicy policy;
  std::shared_ptr<const ScriptFiles> scripts;  // that assertions and transforms call; null: none

  bool is_set() const { return test.items.front().is_set; }
};

// All that is wrong goes to `problems`, each with its place; without any the rule can be used.
AssertionRule ReadAssertionRule(const ParseInput& input, std::vector<Error>& problems);

}  // namespace assay::promptfoo
