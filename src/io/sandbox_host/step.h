// StepError, TRY_STEP and TRY_STEPS: error handling of the sandbox host. Every operation that can fail has a
// name; the first that fails is reported with its errno.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

namespace assay {

struct StepError {
  int error = 0;  // errno; 0: nothing failed
  std::string step = {};
  bool failed() const { return error != 0; }
};

// result < 0: the step failed.
inline StepError Step(std::string_view name, long result) {
  if (result >= 0) return {};
  return {errno == 0 ? EINVAL : errno, std::string(name)};
}

// Copies the name into the fixed array of a report.
template <std::size_t kSize>
void CopyStep(const StepError& error, char (&out)[kSize]) {
  error.step.copy(out, kSize - 1);
}

}  // namespace assay

// TRY_STEP("mount", mount(...));
#define TRY_STEP(name, ...) \
  if (StepError step_error = Step(name, (__VA_ARGS__)); step_error.failed()) return step_error
// TRY_STEPS(FunctionThatReturnsStepError());
#define TRY_STEPS(...) \
  if (StepError step_error = (__VA_ARGS__); step_error.failed()) return step_error
