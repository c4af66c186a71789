// StoreClock: this machine's clock with the wall time of the store's server, where there is one. Machines
// that work on a run would else not agree what was answered before it began.
#pragma once

#include "base/clock.h"
#include "store/store.h"

namespace assay {

class StoreClock final : public Clock {
 public:
  TimePoint Now() const override { return own_.Now(); }
  std::int64_t WallMs() const override { return own_.WallMs() + ahead_ms_; }
  void Wait(Inbox& inbox, TimePoint deadline) override { own_.Wait(inbox, deadline); }

  // From now on its time is that of this store's server. Before anybody else asks for the time.
  Status Follow(Store& store);

 private:
  SystemClock own_;
  std::int64_t ahead_ms_ = 0;  // of this machine's wall clock
};

}  // namespace assay
