// CallPools: the lines in which calls wait until they may be sent, one for each pool of the plan and, with
// batches, one more for the calls of each pool that wait for a batch.
#pragma once

#include <deque>
#include <vector>

#include "run/executor/calls/calls.h"

namespace assay {

class Plan;

// How many may be on the wire, the PaceKeeper says.
struct LivePool {
  // Whether somebody who has to be alone may go: only when nobody else wants to.
  bool MaySendAlone() const { return !waiting_alone.empty() && !HasWaiting() && in_flight == 0; }
  bool HasWaiting() const { return !waiting.empty() || !unclaimed.empty() || claiming > 0; }
  std::size_t CountWaiting() const { return waiting.size() + unclaimed.size() + claiming; }

  std::size_t in_flight = 0;
  std::deque<Call*> waiting;
  std::deque<Call*> unclaimed;      // where other processes ask too: those that are to be claimed before
  std::size_t claiming = 0;         // those that are on their way from there to `waiting`
  std::deque<Call*> waiting_alone;  // programs that timed out, and were held up
  bool somebody_is_alone = false;
  TimePoint ready_at{};  // when the first that waits may pass the limits of the user; kNever: an event tells
};

class CallPools {
 public:
  CallPools(const Plan& plan, bool has_batches);

  PoolIndex size() const { return static_cast<PoolIndex>(pools_.size()); }
  PoolIndex plan_size() const { return plan_size_; }  // the pools below it are those of the plan
  PoolIndex PlanPool(PoolIndex pool) const { return pool % plan_size_; }
  LivePool& operator[](PoolIndex pool) { return pools_[pool]; }
  const LivePool& operator[](PoolIndex pool) const { return pools_[pool]; }
  LivePool& Of(const Call& call) { return pools_[call.pool]; }

  bool IsBatched(const Call& call) const { return call.pool >= plan_size_; }
  void MoveToBatch(Call& call) const { call.pool += plan_size_; }
  void MoveToPlan(Call& call) const { call.pool = PlanPool(call.pool); }  // nothing, if it is there

  void PutFirst(Call& call) { Of(call).waiting.push_front(&call); }
  void PutLast(Call& call) { Of(call).waiting.push_back(&call); }
  // In their order, before those that came later.
  void PutFirst(const std::vector<Call*>& calls);

  // Whether no call is under way but those of batches.
  bool IsIdle() const;

 private:
  PoolIndex plan_size_;
  std::vector<LivePool> pools_;
};

}  // namespace assay
