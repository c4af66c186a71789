// RateBucket: a token bucket that allows a number of units a minute, spread evenly. Pure; time is an
// argument.
#pragma once

#include "base/clock.h"

namespace assay {

// Whole calls, or tokens of models. What is taken one unit at a time never exceeds `per_minute` in any minute
// (half open). Where one take is more than the bucket holds, it waits for a full bucket and leaves a debt, so
// that everything gets its turn and the mean holds.
class RateBucket {
 public:
  // `per_minute` > 0; `burst`: how many units may go at once after a pause.
  RateBucket(double per_minute, double burst);

  // When `units` may be taken; not before `now`.
  TimePoint ReadyAt(double units, TimePoint now) const;
  void Take(double units, TimePoint now);
  // Gives back what was taken for a call that needed less.
  void Return(double units) { level_ += units; }

 private:
  double LevelAt(TimePoint now) const;

  double capacity_;
  double per_second_;
  double level_;
  TimePoint filled_at_{};  // when `level_` was true
};

// For calls: a tenth of a second's worth at once. For tokens: six seconds' worth.
RateBucket RequestBucket(double per_minute);
RateBucket TokenBucket(double per_minute);

}  // namespace assay
