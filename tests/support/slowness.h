// Slowly: a limit of time in a test, longer where the machine is slow or busy (scripts/slowness.py). Sized:
// how much a test makes of what must not take time by its square.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdlib>

namespace assay::testing {

inline std::chrono::milliseconds Slowly(std::chrono::milliseconds limit) {
  const char* told = std::getenv("ASSAY_SLOWNESS");
  const int slowness = told == nullptr ? 1 : std::atoi(told);
  return limit * (slowness < 1 ? 1 : slowness);
}

// A tenth under a sanitizer, whose steps take ten times as long.
constexpr std::size_t Sized(std::size_t count) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return count / 10;
#else
  return count;
#endif
}

}  // namespace assay::testing
