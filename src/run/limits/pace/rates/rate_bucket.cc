// Computes the bucket's level at a time, and when a number of units fits.
#include "run/limits/pace/rates/rate_bucket.h"

#include <algorithm>
#include <cmath>

#include "run/limits/pace/seconds.h"

namespace assay {

namespace {

constexpr double kSecondsPerMinute = 60;

}  // namespace

// The burst beyond the first unit is paid for by a slower rate: in no minute do more than `per_minute` go.
RateBucket::RateBucket(double per_minute, double burst)
    : capacity_(std::max(burst, 1.0)),
      per_second_((per_minute - (capacity_ - 1)) / kSecondsPerMinute),
      level_(capacity_) {}

double RateBucket::LevelAt(TimePoint now) const {
  const double seconds = std::max(SecondsBetween(filled_at_, now), 0.0);
  return std::min(capacity_, level_ + seconds * per_second_);
}

TimePoint RateBucket::ReadyAt(double units, TimePoint now) const {
  const double missing = std::min(units, capacity_) - LevelAt(now);
  if (missing <= 0) return now;
  // Rounded up, so that the level is there when the time is.
  const double micros = std::ceil(missing / per_second_ * 1e6) + 1;
  return now + std::chrono::microseconds(static_cast<std::int64_t>(micros));
}

void RateBucket::Take(double units, TimePoint now) {
  level_ = LevelAt(now) - units;
  filled_at_ = std::max(filled_at_, now);
}

RateBucket RequestBucket(double per_minute) {
  constexpr double kBurstsPerMinute = 600;
  return {per_minute, std::floor(per_minute / kBurstsPerMinute)};
}

RateBucket TokenBucket(double per_minute) {
  constexpr double kBurstsPerMinute = 10;
  return {per_minute, per_minute / kBurstsPerMinute};
}

}  // namespace assay
