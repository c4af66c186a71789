// Tolls: what a call costs: reserved from the budget and from the limits a minute before it is sent, and
// settled by what its reply says that it used.
#pragma once

#include "run/executor/calls/call_pools.h"
#include "run/executor/calls/dispatcher_world.h"
#include "run/limits/cost/call_cost.h"

namespace assay {

class Tolls {
 public:
  Tolls(const DispatcherWorld& world, const ModelBook& models, const CallPools& pools)
      : world_(world), models_(models), pools_(pools) {}

  // The most that a call may cost; made when it is first needed.
  const CallCost& WorstOf(Call& call) const;
  // Of a call that is on the wire now. The budget has reserved its cost already (Gates).
  void Take(Call& call);
  // A try of a call has come to an end. `wasted`: what a reply without an answer says that it used.
  void Settle(Call& call, const Result<Reply>& reply, const Usage& wasted);
  // What is paid of the list price: some tries may be a batch's, others not.
  double PriceFactor(const Call& call) const;

 private:
  CallCost ActualOf(Call& call, const Result<Reply>& reply, const Usage& wasted);
  void NoteEstimate(Call& call, std::int64_t nano_usd);
  std::int64_t PaidOf(const Call& call, const ModelReply* reply, std::int64_t list_nano_usd) const;

  const DispatcherWorld& world_;
  const ModelBook& models_;
  const CallPools& pools_;
};

}  // namespace assay
