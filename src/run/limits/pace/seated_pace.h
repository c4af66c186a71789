// SeatedPace: the pace of a process that works on a run beside others. While its seat may have been given
// away, nothing goes.
#pragma once

#include "run/executor/cells/shared_cells.h"
#include "run/limits/pace/pace_keeper.h"

namespace assay {

class SeatedPace final : public PaceKeeper {
 public:
  // Both outlive it.
  SeatedPace(PaceKeeper& own, SharedCells& seat) : own_(own), seat_(seat) {}

  PoolPace Of(PoolIndex pool) const override {
    PoolPace pace = own_.Of(pool);
    if (!seat_.MaySend()) pace.width = 0;
    return pace;
  }
  TimePoint ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) const override {
    return own_.ReadyAt(pool, tokens, now);
  }
  PaceMark OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) override {
    return own_.OnSend(pool, tokens, now);
  }
  void Return(PoolIndex pool, std::int64_t tokens) override { own_.Return(pool, tokens); }
  void OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) override {
    own_.OnReply(pool, news, now);
  }

 private:
  PaceKeeper& own_;
  SharedCells& seat_;
};

}  // namespace assay
