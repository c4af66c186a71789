// LocalPace: the pace of calls within one process. The width of a pool follows its service: halved when calls
// come too fast, and widened again by one for each width of answered calls; where the service says how many
// requests its limit leaves, no more than these are under way. Where it does not say when there is room
// again, one call alone looks, and how long the rounds of its limit are is learned from what became of it.
// Limits a minute are shared by the pools of one provider, as services count.
#pragma once

#include <span>
#include <vector>

#include "run/limits/pace/pace_keeper.h"
#include "run/limits/pace/rate_bucket.h"
#include "run/limits/pace/retry_delays.h"
#include "run/limits/run_limits.h"

namespace assay {

class LocalPace final : public PaceKeeper {
 public:
  LocalPace(std::span<const Pool> pools, const RunLimits& limits, const RetryPolicy& retry);

  PoolPace Of(PoolIndex pool) const override;
  TimePoint ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) const override;
  PaceMark OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) override;
  void Return(PoolIndex pool, std::int64_t tokens) override;
  void OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) override;

 private:
  struct Lane {
    // Whether one alone finds out if there is room again.
    bool IsShut() const { return waits_in_row > 0 || is_blind || is_rounded; }

    double width_max = 1;
    double width = 1;
    PaceMark sign_at = 0;  // what went before it says nothing new of trouble
    TimePoint paused_until{};
    std::optional<TimePoint> waits_since = {};  // it says "wait", and has answered nothing since
    int waits_in_row = 0;                       // signs of that, none of them followed by an answer
    std::size_t limiter = 0;
    // What the service's limit leaves, as it last said, and the most that it ever left: no more calls than
    // that are under way, since those under way are not all counted in it yet.
    std::optional<double> left = {};
    double left_most = 0;
    PaceMark left_mark = 0;  // what went before it was under way when the service said so

    // A round begins with the first call that a service lets in, and ends when it lets in another after its
    // limit was used up.
    std::optional<TimePoint> round_at = {};
    int let_in = 0;                          // calls of this round that were answered
    int room = 0;                            // how many the last one let in before it refused; 0: not known
    TimePoint sent_at{};                     // of the last call
    bool is_blind = false;                   // the limit is used up, and nobody says until when
    bool is_rounded = false;                 // it is used up until a moment that is known to the second
    int looks = 0;                           // pauses of this round without a hint
    std::chrono::microseconds too_early{0};  // after the begin of a round: it was refused
    std::optional<std::chrono::microseconds> late_enough = {};  // it was let in
  };
  // What the user allows in a minute.
  struct Limiter {
    std::optional<RateBucket> requests;
    std::optional<RateBucket> tokens;
  };
  void TakeSign(Lane& lane) const;
  static void TakeRoom(Lane& lane);
  void TakeLeft(Lane& lane, const PaceNews& news) const;
  void TakeEmpty(Lane& lane, const PaceNews& news, TimePoint now) const;
  void TakeWait(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now) const;
  static void Open(Lane& lane);
  TimePoint LookAt(Lane& lane, TimePoint now) const;
  std::chrono::microseconds Doubled(std::chrono::microseconds first, int times) const;

  RetryPolicy retry_;
  std::vector<Lane> lanes_;  // by pool
  std::vector<Limiter> limiters_;
  PaceMark last_mark_ = 0;
};

}  // namespace assay
