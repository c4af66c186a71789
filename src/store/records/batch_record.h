// BatchRecord: requests that a provider's batch interface has, and nobody has read the answers of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"

namespace assay {

// Persisted: do not renumber.
enum class BatchState {
  kSending = 0,     // perhaps it never arrived: there is no id yet
  kOpen = 1,        // the provider works on it
  kCancelling = 2,  // what it has answered by now is read, the rest is asked one by one
  kEnded = 3,       // its results wait to be read
};

// Requests that were handed to a provider's batch interface and are not answered yet. Its exchanges are
// committed like any other; then it is removed.
struct BatchRecord {
  std::int64_t number = 0;  // of the store; 0: not stored
  std::string id;           // the provider's
  std::string provider;
  std::string endpoint;  // its base URL
  std::int64_t created_ms = 0;
  BatchState state = BatchState::kSending;
  std::vector<Digest> keys;  // of its requests, in the order in which they were handed over
  std::string details;       // JSON: what only this provider's interface needs, names of files and such
};

}  // namespace assay
