// Reads the thread's CPU clock.
#include "text/cpu_budget.h"

#include <ctime>

namespace assay {

namespace {

std::chrono::nanoseconds ThreadCpuTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

bool CpuBudget::Exhausted() {
  if (exhausted_) return true;
  const std::chrono::nanoseconds now = ThreadCpuTime();
  if (started_.count() < 0) started_ = now;
  exhausted_ = now - started_ >= limit_;
  return exhausted_;
}

std::chrono::nanoseconds CpuBudget::Spent() const {
  return started_.count() < 0 ? std::chrono::nanoseconds{0} : ThreadCpuTime() - started_;
}

}  // namespace assay
