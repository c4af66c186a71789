// CpuBudget: compares the CPU time of the calling thread with a limit, for engines (JavaScript, regular
// expressions) that poll a callback.
#pragma once

#include <chrono>

namespace assay {

// One thread, one run. The limit is CPU time, not wall time, so that a busy machine changes no result.
class CpuBudget {
 public:
  explicit CpuBudget(std::chrono::nanoseconds limit) : limit_(limit) {}
  // True once the limit is used up, and from then on. The first call starts the clock.
  bool Exhausted();
  // What the last call said, without looking at the clock.
  bool was_exhausted() const { return exhausted_; }
  // Used since the first call; 0 before it.
  std::chrono::nanoseconds Spent() const;
  std::chrono::nanoseconds limit() const { return limit_; }

 private:
  std::chrono::nanoseconds limit_;
  std::chrono::nanoseconds started_{-1};
  bool exhausted_ = false;
};

}  // namespace assay
