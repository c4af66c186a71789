// Times of the run as seconds, in which rates are reckoned.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

#include "base/clock.h"

namespace assay {

inline double SecondsBetween(TimePoint from, TimePoint to) {
  return std::chrono::duration<double>(to - from).count();
}

inline std::chrono::microseconds Micros(double seconds) {
  return std::chrono::microseconds(static_cast<std::int64_t>(std::ceil(seconds * 1e6)));
}

}  // namespace assay
