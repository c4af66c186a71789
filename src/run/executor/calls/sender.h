// Sender: sends what may be sent by now, from the lines in which calls wait, alone or into a batch.
#pragma once

#include <functional>
#include <optional>

#include "run/executor/batches/batches.h"
#include "run/executor/calls/answers.h"
#include "run/executor/calls/calls_on_wire.h"
#include "run/executor/calls/claims.h"

namespace assay {

// What a sender works with; all of it outlives the sender.
struct SenderDeps {
  Wire& wire;
  Acceptance& acceptance;
  PromptCache& prompt_cache;
  Gates& gates;
  Tolls& tolls;
  CallPools& pools;
  Claims& claims;
  CallsOnWire& on_wire;
  std::optional<Batches>& batches;
  Answers& answers;
  Findings& findings;
  std::function<void(Call&, Gates::Passage)> turn_away;  // a call that found a gate shut
};

class Sender {
 public:
  Sender(const DispatcherWorld& world, SenderDeps deps) : world_(world), deps_(std::move(deps)) {}

  // Calls that need not wait for others any more stand first in their lines again.
  void ReleaseKept();
  // Goes through the lines of all pools.
  void SendWaiting();

 private:
  void ClaimWaiting(PoolIndex index, TimePoint now);
  bool SendFirst(PoolIndex index, TimePoint now);
  void SendAlone(LivePool& pool);
  void SendOne(Call& call);
  void SendHttp(Ticket ticket, Call& call, HttpRequest http);
  void AskDocuments(Ticket ticket, const CorpusRequest& request);

  const DispatcherWorld& world_;
  const SenderDeps deps_;
  PoolIndex first_pool_ = 0;  // whose turn it is
};

}  // namespace assay
