// Gates: whether a call may be sent now: the end of the run, the pace of its service, services that are down,
// models that fail again and again, and the budget.
#pragma once

#include <optional>
#include <string>

#include "run/executor/calls/tolls.h"
#include "run/limits/pace/breakers.h"
#include "run/limits/pace/outages.h"

namespace assay {

class Gates {
 public:
  enum class Door { kOpen, kLater, kShut };
  struct Passage {
    Door door = Door::kOpen;
    TimePoint ready_at = kNever;  // kLater
    Error reason = {};            // kShut
    bool is_down = false;         // kShut: its breaker is open
  };

  Gates(const DispatcherWorld& world, Findings& findings, CallPools& pools, Tolls& tolls)
      : world_(world), findings_(findings), pools_(pools), tolls_(tolls), outages_(world.options.retry) {}

  // Nothing more is sent. Of two reasons, errors are the one to tell.
  void Close(RunEnding why);
  const std::optional<RunEnding>& closed() const { return closed_; }
  // Something was not asked because the time of the run is over.
  void NoteOutOfTime() { out_of_time_ = true; }
  RunEnding ending() const;

  // Whether a pool has room on the wire.
  bool HasRoom(PoolIndex pool, TimePoint now) const;
  // The gates but the last one.
  Passage PassageOf(Call& call, TimePoint now);
  // The last gate: what passes is reserved.
  Passage PassageByBudget(Call& call);

  // Whether another model is asked in place of the one that this call is for.
  bool HasStandIn(const Call& call) const;
  // Whether a call waits while its service is down. A service that a suite names has a rule of its own, and
  // nobody waits for a model that another one stands in for.
  bool MayWaitForService(const Call& call) const;

  // What the calls in the line of a plan's pool wait for; "" if nothing keeps them.
  std::string Text(PoolIndex pool, TimePoint now) const;

  Outages& outages() { return outages_; }
  const Outages& outages() const { return outages_; }
  Breakers& breakers() { return breakers_; }
  const Breakers& breakers() const { return breakers_; }

 private:
  const DispatcherWorld& world_;
  Findings& findings_;
  CallPools& pools_;
  Tolls& tolls_;
  Breakers breakers_;
  Outages outages_;  // of services that are waited for
  std::optional<RunEnding> closed_;
  bool out_of_time_ = false;
  bool budget_spent_ = false;
};

}  // namespace assay
