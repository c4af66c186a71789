// Slowly: a limit of time in a test, longer where the machine is slow or busy (scripts/slowness.py).
#pragma once

#include <chrono>
#include <cstdlib>

namespace assay::testing {

inline std::chrono::milliseconds Slowly(std::chrono::milliseconds limit) {
  const char* told = std::getenv("ASSAY_SLOWNESS");
  const int slowness = told == nullptr ? 1 : std::atoi(told);
  return limit * (slowness < 1 ? 1 : slowness);
}

}  // namespace assay::testing
