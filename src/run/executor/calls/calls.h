// CallTable: every request of a run that is not answered yet, one Call for each key; steps that need the same
// reply wait for the same call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/wire/transport.h"
#include "providers/facts/adapt.h"
#include "run/executor/cells/live_cell.h"
#include "run/limits/cost/budget.h"
#include "run/limits/pace/pace_keeper.h"

namespace assay {

class Plan;

struct Waiter {
  LiveCell* cell = nullptr;
  SlotIndex slot = 0;
  std::size_t position = 0;  // in the step's so_far
};

// The first messages of a call's request, by their number and content.
struct CallBeginning {
  std::uint32_t messages = 0;
  Digest digest{};
};

struct Call {
  PreparedRequest prepared;
  std::vector<Waiter> waiters;
  PoolIndex pool = 0;
  int tries = 0;
  std::optional<Error> told_to_wait = {};      // by its service, when it was last sent
  bool ran_alone = false;                      // a program that was held up had its second run
  Adaptation applied;                          // to the last try
  TimePoint sent_at{};                         // of the last try
  TimePoint first_sent_at{};                   // of the first one
  std::optional<CallCost> worst;               // made when it is first needed
  bool is_reserved = false;                    // `worst` is, of the budget
  std::vector<CallBeginning> beginnings = {};  // that its service might keep in a cache
  Usage wasted;                                // of tries that brought no answer, as their replies stated it
  std::int64_t list_nano_usd = 0;              // of all its tries, as far as they stated what they used
  std::int64_t paid_nano_usd = 0;              // less where a batch answered
  // What those may have cost that said nothing of it (Billing).
  std::optional<std::int64_t> estimated_nano_usd;
  std::int64_t started_ms = 0;  // wall clock of the first try
  PaceMark mark = 0;            // of the last try
  bool in_background = false;   // its last try is (Batches::TakesAlone)
  bool in_foreground = false;   // the background did not answer it
  bool was_sent = false;        // and answered, by somebody who had to be asked
  bool is_missing = false;      // the store has no answer
  bool is_claimed = false;      // no other process asks it
};

// The last word on a call, for whoever waits.
struct Answered {
  Exchange exchange;
  std::vector<Waiter> waiters;
  bool was_sent = false;
  bool was_cut = false;  // not asked, for the run's own reasons
};

// Asks nobody outside.
inline bool IsAnsweredHere(const Request& request) { return std::holds_alternative<CorpusRequest>(request); }

// Asks a service that is paid by what it is asked.
inline bool AsksModel(const Request& request) {
  return std::holds_alternative<ModelRequest>(request) || std::holds_alternative<EmbedRequest>(request);
}

// A page is asked for in one time, however often: a server that drips would hold up a turn for each try anew.
inline bool IsPage(const Call& call) {
  const auto* page = std::get_if<HttpRequest>(&call.prepared.request);
  return page != nullptr && page->redirects_max > 0 && page->timeout.count() > 0;
}
std::chrono::milliseconds TimeLeftOf(const Call& page, TimePoint now);

struct DigestHash {
  std::size_t operator()(const Digest& digest) const {
    std::size_t prefix = 0;
    __builtin_memcpy(&prefix, digest.data(), sizeof prefix);
    return prefix;
  }
};

class CallTable {
 public:
  // The call of this key; `added` tells whether it is new. Pointers stay valid until Erase.
  Call& Join(PreparedRequest prepared, Waiter waiter, bool& added);
  Call* Find(const Digest& key);
  void Erase(const Digest& key);
  std::size_t size() const { return calls_.size(); }

 private:
  std::unordered_map<Digest, std::unique_ptr<Call>, DigestHash> calls_;
};

// "candidate of openai:gpt-6, case a", for people.
std::string CallName(const Plan& plan, const Call& call);
// "30 s".
std::string SecondsText(TimePoint::duration time);

}  // namespace assay
