// PaceKeeper: when calls of a pool may go, as far as their services and the limits a minute of the user say.
// The dispatcher asks before it sends a call and tells what came back.
//
// In this process it is LocalPace (local_pace.h); where several processes ask one service, something else
// stands behind the same face (docs/decisions/0060). Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "plan/plan.h"
#include "providers/facts/pace.h"
#include "providers/provider.h"

namespace assay {

// The how-manieth call it was that went; 0: one that no service was asked.
using PaceMark = std::uint64_t;

struct PoolPace {
  std::size_t width = 0;     // how many calls may be under way
  TimePoint paused_until{};  // its service asked for a pause
  // Its service says "wait", and has answered nothing since: then nobody waits for it any more.
  std::optional<TimePoint> gives_up_at = {};
};

// What a reply said of the pace.
struct PaceNews {
  PaceMark mark = 0;  // of the call
  Pace pace = {};
  ReplyClass outcome = ReplyClass::kOk;
  bool says_wait = false;  // of the whole pool, and nothing of its request
  // A little more time, so that not everybody who was told to wait comes back at once.
  std::chrono::microseconds jitter{0};
  std::chrono::microseconds took{0};  // from sending to the reply
};

class PaceKeeper {
 public:
  virtual ~PaceKeeper() = default;
  virtual PoolPace Of(PoolIndex pool) const = 0;
  // When a call that takes up to so many tokens may go under the limits a minute; not before `now`.
  virtual TimePoint ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) const = 0;
  virtual PaceMark OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) = 0;
  // Gives back what a call took and did not need; below zero: what it needed more.
  virtual void Return(PoolIndex pool, std::int64_t tokens) = 0;
  virtual void OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) = 0;
  // So many calls of the pool are under way now.
  virtual void OnUnderWay(PoolIndex, std::size_t) {}
};

}  // namespace assay
