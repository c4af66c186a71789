// LocalPace: the pace of calls within one process. The width of a pool follows its service: doubled after
// each round of answers that came as fast as before, halved when calls come too fast, and widened again by
// one for each width of answered calls. No more calls are under way than the service says that its limit
// leaves. Where it does not say when there is room again, one call alone looks, and learns from what becomes
// of it how long the rounds of its limit are. Where its limit fills all the time, calls go at the rate that
// it lets in (rates/send_rate.h). Limits a minute and rates are shared by the pools of one provider, as
// services count.
#pragma once

#include <span>
#include <vector>

#include "run/limits/pace/pace_keeper.h"
#include "run/limits/pace/rates/rate_bucket.h"
#include "run/limits/pace/rates/send_rate.h"
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
  void OnUnderWay(PoolIndex pool, std::size_t calls) override {
    if (pool >= lanes_.size()) return;  // a batch's
    lanes_[pool].under_way = calls;
    if (calls == 0) lanes_[pool].look_at.reset();
  }

 private:
  // As many answers as the width.
  struct Round {
    double answers = 0;
    double latency_s = 0;  // the sum
    bool was_refused = false;
  };
  struct Lane {
    // Whether one alone finds out if there is room again.
    bool IsShut() const { return waits_in_row > 0 || is_blind || is_rounded; }
    // How many calls this round lets in yet, if it lets in as many as the last one.
    double RoomLeft() const { return static_cast<double>(room) - sent_in_round; }
    bool IsUsedUp() const { return room > 0 && RoomLeft() < 1; }

    double width_max = 1;
    double width = 1;
    bool grows = false;  // its width starts low and is doubled
    bool lends = false;  // and what it does not need other pools of its provider may use
    std::size_t under_way = 0;
    Round round = {};
    double first_latency_s = 0;  // the mean of the first round; 0: not known
    double latency_s = 0;        // of late; 0: not known
    TimePoint next_at{};         // calls go one after the other while the width grows
    PaceMark sign_at = 0;        // what went before it says nothing new of trouble
    TimePoint paused_until{};
    // Whether a wait that an answer names began when its call was sent; and until when it is if not.
    bool waits_from_sending = true;
    TimePoint word_until{};
    std::optional<TimePoint> waits_since = {};  // it says "wait", and has answered nothing since
    int waits_in_row = 0;                       // signs of that, none of them followed by an answer
    std::size_t limiter = 0;
    // What the service's limit leaves, as it last said, less what went since; and the most that it ever left.
    std::optional<double> credit = {};
    double left_most = 0;
    PaceMark left_mark = 0;  // what went before it was under way when the service said so
    // The last word on what is left, of a call with this mark; and how often in a row more was left than a
    // limit would leave that is not filled before its end.
    double said_left = 0;
    PaceMark said_mark = 0;
    int fills_in_row = 0;

    // A round begins with the first call that a service lets in, and ends when it lets in another after its
    // limit was used up.
    std::optional<TimePoint> round_at = {};
    bool is_timed = true;      // nothing says that another round began after that
    PaceMark round_mark = 0;   // of its first call
    double sent_in_round = 0;  // but for those that were refused
    double room = 0;           // how many the last one let in before it refused; 0: not known
    // A call that went alone to look, and how long a refusal takes: who is not refused by then is let in.
    std::optional<TimePoint> look_at = {};
    PaceMark look_mark = 0;
    double refusal_s = 0;                    // 0: not known
    TimePoint shut_at{};                     // when one was to look first
    bool was_shut = false;                   // and let in again, once
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
    SendRate rate = {};      // that its service lets in
    bool is_shared = false;  // its service counts all of its pools together
  };
  void TakeSign(Lane& lane, const PaceNews& news) const;
  void TakeRefusal(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now);
  void PauseTogether(const Lane& refused, TimePoint now);
  static void TakePause(Lane& lane, const PaceNews& news, TimePoint now);
  void TakeLatency(Lane& lane, const PaceNews& news) const;
  void TakeAnswer(Lane& lane, const PaceNews& news, TimePoint now);
  double WidthFor(const Lane& lane) const;
  double WidthOfRound(const Lane& lane) const;
  static void Exceed(Lane& lane);
  void TakeSilence(Lane& lane, TimePoint now);
  void TakeLeft(Lane& lane, const PaceNews& news) const;
  static bool FillsAllTheTime(Lane& lane, const PaceNews& news);
  void TakeEmpty(Lane& lane, const PaceNews& news, TimePoint now);
  void TakeWait(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now) const;
  void Open(Lane& lane, TimePoint now);
  TimePoint LookAt(Lane& lane, bool was_refused, TimePoint now) const;
  std::chrono::microseconds Doubled(std::chrono::microseconds first, int times) const;

  RetryPolicy retry_;
  std::vector<Lane> lanes_;  // by pool
  std::vector<Limiter> limiters_;
  PaceMark last_mark_ = 0;
};

}  // namespace assay
