// A look-up among several processes that work on one run: what is to be sent is claimed by one of them.
#pragma once

#include <chrono>

#include "run/executor/messages.h"
#include "store/coordinator.h"

namespace assay {

// When what others ask is looked up again.
inline constexpr std::chrono::milliseconds kLookAgainAfter{250};
// When people are told who asks it, and how often.
inline constexpr std::chrono::seconds kNameHoldersAfter{60};

struct Keys {
  std::vector<Digest> claimed;    // to be; they are looked up once more, since they may be answered by now
  std::vector<Digest> looked_up;  // to be
  std::vector<Digest> freed;      // they were claimed, and are not asked after all
  std::vector<Digest> named;      // whose holders people want to know

  bool empty() const { return claimed.empty() && looked_up.empty() && freed.empty() && named.empty(); }
};

// Thread of the store.
LookedUp LookUp(Store& store, CallClaims& claims, EpochRange epochs, Keys keys);

}  // namespace assay
