// meteor
#include "checks/promptfoo/families.h"
namespace assay::promptfoo {
Result<AssertionResult> RunMeteor(const AssertionCall& call) {
  return Error{ErrorCode::kUnsupported, "\"meteor\" is not run here", call.assertion.value.span};
}
}  // namespace assay::promptfoo
