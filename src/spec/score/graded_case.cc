// Makes a judged check of each key point.
#include "spec/score/graded_case.h"

#include "base/errors/assert.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"

namespace assay {

Case WithKeyPoints(const Case& the_case, std::span<const std::string> key_points) {
  ASSAY_ASSERT(the_case.checks.empty());
  Case graded = the_case;
  for (const std::string& point : key_points) {
    CheckNode leaf;
    leaf.op = CheckNode::Op::kLeaf;
    leaf.check = static_cast<CheckIndex>(graded.checks.size());
    graded.tree.children.push_back(std::move(leaf));
    Check& check = graded.checks.emplace_back();
    check.id = "key_point." + std::to_string(graded.checks.size());
    check.kind = kJudgeKind;
    check.text = point;
    check.span = the_case.span;
  }
  return graded;
}

}  // namespace assay
