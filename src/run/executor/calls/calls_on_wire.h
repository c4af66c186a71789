// CallsOnWire: the calls that are with their services now, by the ticket under which each was sent.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "run/executor/calls/call_pools.h"
#include "run/executor/calls/dispatcher_world.h"
#include "run/limits/pace/outages.h"

namespace assay {

class CallsOnWire {
 public:
  CallsOnWire(const DispatcherWorld& world, CallPools& pools, Outages& outages)
      : world_(world), pools_(pools), outages_(outages) {}

  // A ticket is used once.
  Ticket Put(Call& call);
  Call* Find(Ticket ticket) const;  // null: nobody waits for it
  Call* Take(Ticket ticket);        // as Find; the call is off the wire
  bool empty() const { return calls_.empty(); }
  // In the order of sending.
  std::vector<Ticket> TicketsOfBatches() const;
  // "12 under way, the oldest for 30 s (candidate of openai:gpt-6, case a)"; "" if none is.
  std::string Text(TimePoint now) const;

 private:
  const DispatcherWorld& world_;
  CallPools& pools_;
  Outages& outages_;
  std::unordered_map<Ticket, Call*> calls_;
  Ticket next_ticket_ = 1;
};

}  // namespace assay
