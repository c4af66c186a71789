// Answers: the last word on each call. An answer waits here until it is committed; until then nobody sees it.
#pragma once

#include <utility>
#include <vector>

#include "run/executor/calls/replies.h"

namespace assay {

class Answers {
 public:
  Answers(const DispatcherWorld& world, Tolls& tolls, Findings& findings)
      : world_(world), tolls_(tolls), findings_(findings) {}

  void Add(Call& call, FinalReply final);
  // At most so many, the oldest first.
  std::vector<Exchange> Take(std::size_t most);
  std::size_t size() const { return answers_.size(); }
  // How many of those added since were sent to somebody.
  std::uint64_t TakeSent() { return std::exchange(sent_, 0); }

  void CountError(const Call& call, const Error& error);

 private:
  Exchange ExchangeOf(Call& call, const FinalReply& final) const;
  void NoteStandIn(const Call& call);

  const DispatcherWorld& world_;
  Tolls& tolls_;
  Findings& findings_;
  std::vector<Exchange> answers_;
  std::uint64_t sent_ = 0;
};

}  // namespace assay
