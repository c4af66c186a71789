// Clock: the only source of time in the program. The executor waits through it, so that a simulation can
// replace it by a fake clock that jumps to the next event.
#pragma once

#include <chrono>
#include <cstdint>

namespace assay {

class Inbox;

// Monotonic time of the run; its zero is arbitrary.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, std::chrono::microseconds>;
inline constexpr TimePoint kNever = TimePoint::max();

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  virtual std::int64_t WallMs() const = 0;  // milliseconds since 1970-01-01 UTC
  // Returns when `inbox` holds a message or at `deadline`, whichever comes first. Loop thread only.
  virtual void Wait(Inbox& inbox, TimePoint deadline) = 0;
};

class SystemClock final : public Clock {
 public:
  TimePoint Now() const override;
  std::int64_t WallMs() const override;
  void Wait(Inbox& inbox, TimePoint deadline) override;
};

}  // namespace assay
