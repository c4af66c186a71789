// Calls: every request that is not answered yet, once per key. Steps that need the same reply wait for the
// same call.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/transport.h"
#include "providers/facts/adapt.h"
#include "run/executor/live_cell.h"
#include "run/limits/ledger.h"

namespace assay {

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
  bool is_reserved = false;                    // `worst` is, in the ledger
  std::vector<CallBeginning> beginnings = {};  // that its service might keep in a cache
  Usage wasted;                                // of tries that brought no answer, as their replies stated it
  std::int64_t list_nano_usd = 0;              // of all its tries, as far as they stated what they used
  std::int64_t paid_nano_usd = 0;              // less where a batch answered
  std::int64_t started_ms = 0;                 // wall clock of the first try
};

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

// The live half of a Pool: who waits, and how many are on the wire. Its width follows the service: halved
// when calls come too fast, and widened again by one for each width of answered calls.
class LivePool {
 public:
  explicit LivePool(std::size_t width_max)
      : width_max_(static_cast<double>(width_max)), width_(static_cast<double>(width_max)) {}

  // One alone finds out whether the service is ready again.
  std::size_t width() const { return waits_in_row > 0 ? 1 : static_cast<std::size_t>(width_); }
  bool MaySend(TimePoint now) const {
    return in_flight < width() && paused_until <= now && !somebody_is_alone;
  }
  // Whether somebody who has to be alone may go: only when nobody else wants to.
  bool MaySendAlone() const { return !waiting_alone.empty() && waiting.empty() && in_flight == 0; }
  // A call that was sent as `ticket` came back too fast. Calls that were on the wire together count as one
  // sign: true for the first of them. `next_ticket` is the first that the new width is responsible for.
  bool Narrow(Ticket ticket, Ticket next_ticket) {
    if (ticket < narrowed_at_) return false;
    width_ = std::max(1.0, width_ / 2);
    narrowed_at_ = next_ticket;
    return true;
  }
  // The service answered what was sent as `ticket`, however.
  void HearAnswer(Ticket ticket) {
    waits_since.reset();
    if (ticket >= narrowed_at_) waits_in_row = 0;
  }
  void Widen() { width_ = std::min(width_max_, width_ + 1 / width_); }

  std::size_t in_flight = 0;
  std::deque<Call*> waiting;
  std::deque<Call*> waiting_alone;  // programs that timed out, and were held up
  bool somebody_is_alone = false;
  TimePoint paused_until{};  // the service asked for a pause
  std::optional<TimePoint> waits_since = {};  // it says "wait", and has answered nothing since
  int waits_in_row = 0;                       // signs of that, none of them followed by an answer
  TimePoint ready_at{};  // when the first that waits may pass the limits of the user; kNever: an event tells

 private:
  double width_max_;
  double width_;
  Ticket narrowed_at_ = 0;
};

}  // namespace assay
