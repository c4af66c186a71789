// The row of `judge`: a criterion in words, graded by the suite's judges in a step of its own (plan/,
// judge.h).
#include "checks/graders.h"

namespace assay {

CheckArgs ParseJudge(const ParseInput& input, Diagnostics& diagnostics) {
  if (input.check.text.empty()) {
    return UnusableArgs<std::string>(WarnExpected(input, "a criterion in words", diagnostics));
  }
  return MakeArgs(input.check.text);
}

}  // namespace assay
