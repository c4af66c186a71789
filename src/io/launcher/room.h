// RoomWatch: whether processors of this machine stand idle, so that a program which could not get one before
// may be tried again.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace assay {

class RoomWatch {
 public:
  // Of the time since the last call, which should be a quarter of a second ago or more; the first call knows
  // nothing and says no. True where the kernel does not tell.
  bool HasRoom(TimePoint now);

  // Whether so much of the time of all processors together is room for one program: half of one.
  static bool IsRoom(std::uint64_t idle_us, std::uint64_t passed_us) { return idle_us * 2 >= passed_us; }

 private:
  std::optional<TimePoint> looked_at_;
  std::uint64_t idle_us_ = 0;
  bool has_room_ = false;
};

}  // namespace assay
