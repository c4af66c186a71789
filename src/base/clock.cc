// SystemClock: the real clock, which waits on an inbox until a deadline.
#include "base/clock.h"

#include <ctime>

#include "base/awake_time.h"
#include "base/bounded_queue.h"

namespace assay {

TimePoint SystemClock::Now() const {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::steady_clock::now());
}

std::int64_t SystemClock::WallMs() const {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

void SystemClock::Wait(Inbox& inbox, TimePoint deadline) { inbox.WaitUntil(deadline); }

TimePoint AwakeTime() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return TimePoint(std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec)));
}

}  // namespace assay
