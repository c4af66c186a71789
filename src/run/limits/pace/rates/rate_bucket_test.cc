// Tests of the rate bucket over a simulated clock.
#include "run/limits/pace/rates/rate_bucket.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace assay {

namespace {

constexpr std::chrono::microseconds kMinute{60'000'000};

// Takes `units` as soon as it is allowed, again and again, from `start` for three minutes.
std::vector<TimePoint> TakeAll(RateBucket bucket, double units, TimePoint start) {
  std::vector<TimePoint> taken;
  for (TimePoint now = start; now < start + 3 * kMinute;) {
    now = bucket.ReadyAt(units, now);
    bucket.Take(units, now);
    taken.push_back(now);
  }
  return taken;
}

std::size_t MostInAMinute(const std::vector<TimePoint>& taken) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto end = std::lower_bound(taken.begin(), taken.end(), taken[i] + kMinute);
    most = std::max(most, static_cast<std::size_t>(end - taken.begin()) - i);
  }
  return most;
}

}  // namespace

TEST_CASE("in no minute do more calls go than the limit says, and hardly fewer") {
  for (const double per_minute : {1.0, 7.0, 60.0, 599.0, 600.0, 3'000.0, 60'000.0}) {
    CAPTURE(per_minute);
    const std::size_t most =
        MostInAMinute(TakeAll(RequestBucket(per_minute), 1, TimePoint(std::chrono::hours(3))));
    CHECK(most <= static_cast<std::size_t>(per_minute));
    CHECK(static_cast<double>(most) >= per_minute * 0.98);
  }
}

TEST_CASE("a bucket that rested for long lets its burst go, not all that it missed") {
  RateBucket bucket = RequestBucket(6'000);
  const TimePoint now(std::chrono::hours(1));
  std::size_t at_once = 0;
  while (bucket.ReadyAt(1, now) == now) {
    bucket.Take(1, now);
    ++at_once;
  }
  CHECK(at_once == 10);
}

TEST_CASE("a call with more tokens than the bucket holds gets its turn, and the mean holds") {
  const std::vector<TimePoint> taken = TakeAll(TokenBucket(1'000), 500, TimePoint());
  REQUIRE(taken.size() > 2);
  CHECK(taken.front() == TimePoint());
  CHECK(taken.size() <= 8);
  CHECK(taken.size() >= 6);
}

TEST_CASE("what is returned may be taken again") {
  RateBucket bucket = TokenBucket(600);
  bucket.Take(60, TimePoint());
  CHECK(bucket.ReadyAt(60, TimePoint()) > TimePoint());
  bucket.Return(60);
  CHECK(bucket.ReadyAt(60, TimePoint()) == TimePoint());
}

}  // namespace assay
