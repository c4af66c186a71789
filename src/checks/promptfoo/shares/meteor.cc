// meteor: words of the output matched with those of a text, by their letters, stems and synonyms.
#include "checks/promptfoo/families.h"

namespace assay::promptfoo {

Result<AssertionResult> RunMeteor(const AssertionCall& call) {
  if (!call.input.policy.has_meteor)
    return Error{ErrorCode::kInvalidInput, "\"meteor\" fails in the original, whatever the output is",
                 call.assertion.value.span};
  return Error{ErrorCode::kUnsupported, "\"meteor\" is not run here", call.assertion.value.span};
}

}  // namespace assay::promptfoo
