// Replies: reads what services have sent, and decides of each reply whether its call goes on (again, in
// another form, with another key, after a while) or has its final answer.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "run/executor/calls/gates.h"
#include "run/limits/acceptance.h"
#include "run/limits/cost/prompt_cache.h"
#include "run/wire/wire.h"

namespace assay {

// What a call came to for good.
struct FinalReply {
  WireVerdict verdict;
  std::chrono::microseconds first{};  // until its first token
  std::chrono::microseconds duration{};
};

// What replies are read by, and what learns from them; all of it outlives Replies.
struct RepliesDeps {
  Endpoints& endpoints;
  Wire& wire;
  Acceptance& acceptance;
  PromptCache& prompt_cache;
  Gates& gates;
  Tolls& tolls;
  CallPools& pools;
  Findings& findings;
};

class Replies {
 public:
  Replies(const DispatcherWorld& world, RepliesDeps deps)
      : world_(world), deps_(deps), delays_(world.options.retry, world.options.jitter_seed) {}

  // A reply that is to be read. `prepared` belongs to a call on the wire, which nobody changes meanwhile.
  void Add(Ticket ticket, const PreparedRequest& prepared, WireReply reply);
  // Reads a few replies here and returns them; many are handed to workers, who send them to the inbox.
  std::vector<Decoded> Read();
  void OnReadByWorkers(std::size_t replies) { with_workers_ -= replies; }
  // That have come and are not read.
  std::size_t unread() const { return with_workers_ + to_read_.size(); }

  // A reply to a call that is off the wire. Nothing: the call goes on; it waits in a pool, for a retry or for
  // its service.
  std::optional<FinalReply> Settle(Call& call, WireNews news);

  // Calls whose wait for another try is over stand first in their pools again; all of them, once the run asks
  // nothing more.
  void OnRetryTimers();
  TimePoint NextRetry() const { return retries_.empty() ? kNever : retries_.begin()->first; }
  // "2 to be tried again, the next in 4 s"; "" if none is.
  std::string Text(TimePoint now) const;

 private:
  struct ToRead {
    Ticket ticket = 0;
    const PreparedRequest* prepared = nullptr;
    WireReply reply;
  };

  // Each of these returns true if the call is on its way again.
  bool AsksInAnotherWay(Call& call, const Adaptation& learned);
  bool HasOtherKey(Call& call, const WireNews& news);
  bool GoesOn(Call& call, WireVerdict& verdict);
  bool TriesAgain(Call& call, const WireNews& news);

  void SendAgain(Call& call);
  ReplyClass ClassOf(const WireNews& news) const;
  bool AsksTooMuchPatience(const Pace& pace) const;
  bool IsBeyondPatience(const WireNews& news) const;
  bool SaysWait(const Call& call, const Pace& pace, ReplyClass outcome) const;
  void FollowPace(const Call& call, const Pace& pace, ReplyClass outcome);
  void WaitOn(Call& call, Result<Reply> refusal);
  void NoteUnknownLimit(const Call& call);
  bool WaitsForService(Call& call, const WireNews& news);
  void WaitForService(Call& call, Error failure);
  void CountOutcome(const Call& call, const WireNews& news);

  const DispatcherWorld& world_;
  const RepliesDeps deps_;
  RetryDelays delays_;
  std::vector<ToRead> to_read_;
  std::size_t with_workers_ = 0;
  std::multimap<TimePoint, Call*> retries_;
};

}  // namespace assay
