// PromptCache: finds beginnings of prompts that calls of a run repeat (system prompts, documents,
// conversations), for services that cache such on request.
//
// It says which are marked, and which calls wait until the first with that beginning is answered, since calls
// that go together would all pay for putting it there. Loop thread only.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "run/executor/calls/calls.h"

namespace assay {

class PromptCache {
 public:
  // How long the others wait for the first: an answer may take longer, and time is worth something too.
  static constexpr std::chrono::seconds kFirstCallMost{10};

  explicit PromptCache(const ModelBook& models) : models_(models) {}

  // The call is going to be asked.
  void Expect(Call& call);
  // Notes in the call's request which of its beginnings are repeated. Whether it has to wait until the first
  // of them has been answered; then it is kept here.
  bool Keep(Call& call, TimePoint now);
  void OnSend(const Call& call, TimePoint now);
  void OnReply(const Call& call);
  // Calls that need not wait any more, in the order in which they were kept.
  std::vector<Call*> Release(TimePoint now);
  TimePoint NextRelease() const;  // kNever: nobody waits

 private:
  struct Beginning {
    std::size_t calls = 0;        // that have it, or will
    bool is_there = false;        // in the service's cache, as far as can be known
    const Call* first = nullptr;  // under way
    TimePoint first_until{};
  };
  bool IsRepeated(const Call& call, const CallBeginning& beginning) const;
  bool IsBlocked(const Call& call, TimePoint now) const;

  const ModelBook& models_;
  std::unordered_map<Digest, Beginning, DigestHash> beginnings_;
  std::deque<Call*> kept_;
};

}  // namespace assay
