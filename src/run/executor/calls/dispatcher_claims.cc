// What another process of the same run is about to ask, or asks: it is looked up again until it is there, or
// free.
#include "run/executor/calls/dispatcher.h"

namespace assay {

void Dispatcher::LookAgain() {
  const TimePoint now = Now();
  while (!look_again_.empty() && (look_again_.begin()->first <= now || closed_)) {
    to_look_up_.push_back(look_again_.begin()->second);
    look_again_.erase(look_again_.begin());
  }
}

// Nobody asks it here after all: another process may.
void Dispatcher::Free(const Call& call) {
  if (world_.deps.claims != nullptr) to_free_.push_back(call.prepared.key);
}

}  // namespace assay
