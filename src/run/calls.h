// Calls: every request that is not answered yet, once per key. Steps that need the same reply wait for the
// same call.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "run/live_cell.h"

namespace assay {

struct Waiter {
  LiveCell* cell = nullptr;
  SlotIndex slot = 0;
  std::size_t position = 0;  // in the step's so_far
};

struct Call {
  PreparedRequest prepared;
  std::vector<Waiter> waiters;
  PoolIndex pool = 0;
  int tries = 0;
  std::int64_t started_ms = 0;  // wall clock of the first try
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

// The live half of a Pool: who waits, and how many are on the wire.
struct LivePool {
  std::size_t width = 1;
  std::size_t in_flight = 0;
  std::deque<Call*> waiting;
};

}  // namespace assay
