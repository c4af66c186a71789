// Tries to take the store's writer lock until it is free, the time is over, or the user interrupts.
#include "engine/write/writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/bounded_queue.h"
#include "engine/grants/limits.h"

namespace assay {

Result<std::unique_ptr<OwnStore>> OpenForWriting(const Granted& granted, Clock& clock, StopSignals& signals,
                                                 const std::function<void(std::string)>& on_wait,
                                                 OwnStoreOpener attempt) {
  constexpr std::chrono::milliseconds kLookEvery{100};
  const StoreOptions options = StoreOptionsOf(granted);
  const double timeout_s = options.lost_s;
  const TimePoint deadline = clock.Now() + Milliseconds(timeout_s);
  BoundedQueue<bool> stop(1);
  signals.Watch([&stop] { stop.PushUnbounded(true); });
  bool is_told = false;
  Result<std::unique_ptr<OwnStore>> store = attempt(options);
  while (!store && store.error().code == ErrorCode::kTimeout && clock.Now() < deadline &&
         !stop.HasMessages()) {
    if (!std::exchange(is_told, true)) {
      on_wait(fmt::format("{}; waiting up to {:g} s (--store-timeout)", store.error().message, timeout_s));
    }
    clock.Wait(stop, std::min(deadline, clock.Now() + kLookEvery));
    store = attempt(options);
  }
  signals.EndWatch();
  if (store || store.error().code != ErrorCode::kTimeout) return store;
  const std::string waited = is_told ? fmt::format(", and did so for {:g} s", timeout_s) : std::string();
  return Error{ErrorCode::kTimeout,
               fmt::format("{}{}; wait for it with --store-timeout SECONDS, or use another --store",
                           store.error().message, waited)};
}

}  // namespace assay
