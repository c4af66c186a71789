// PostgresStore::Repeating: what is done again after a lost connection, and where the server gave way to
// another transaction.
#pragma once

#include <utility>

#include "store/postgres/postgres_store.h"

namespace assay {

template <class Work>
auto PostgresStore::Repeating(Work work) -> decltype(work()) {
  double waited_s = 0;
  for (int tries = 1;; ++tries) {
    // Within a transaction only what is around all of it may be repeated.
    const bool is_whole = !IsWithin();
    auto done = work();
    if (done || !is_whole || !MayTryAgain(tries, waited_s)) return done;
  }
}

}  // namespace assay
