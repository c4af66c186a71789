// Reads the idle time of all processors from /proc/uptime.
#include "io/launcher/room.h"

#include <chrono>
#include <fstream>

namespace assay {

namespace {

constexpr std::chrono::milliseconds kLeastTime{200};
constexpr std::chrono::seconds kMostTime{2};  // what was longer ago says nothing of now

// The second number: seconds, of all processors together.
std::optional<std::uint64_t> IdleUs() {
  std::ifstream file("/proc/uptime");
  double up_s = 0;
  double idle_s = 0;
  if (!(file >> up_s >> idle_s)) return std::nullopt;
  return static_cast<std::uint64_t>(idle_s * 1e6);
}

}  // namespace

bool RoomWatch::HasRoom(TimePoint now) {
  if (looked_at_ && now - *looked_at_ < kLeastTime) return has_room_;
  const std::optional<std::uint64_t> idle_us = IdleUs();
  if (!idle_us) return true;
  const bool is_recent = looked_at_ && now - *looked_at_ <= kMostTime;
  if (is_recent) {
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(now - *looked_at_).count();
    const std::uint64_t idle_since_us = *idle_us < idle_us_ ? 0 : *idle_us - idle_us_;
    has_room_ = IsRoom(idle_since_us, static_cast<std::uint64_t>(passed));
  } else {
    has_room_ = false;
  }
  looked_at_ = now;
  idle_us_ = *idle_us;
  return has_room_;
}

}  // namespace assay
