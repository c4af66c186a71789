// SeatedPace: the pace of a process that works on a run beside others: a part of the calls that may be under
// way, and of limits a minute. While its seat may have been given away, nothing goes.
#pragma once

#include <optional>
#include <vector>

#include "run/executor/cells/shared_cells.h"
#include "run/limits/pace/pace_keeper.h"
#include "run/limits/pace/shared_rates.h"

namespace assay {

class SeatedPace final : public PaceKeeper {
 public:
  // `own` knows no limits a minute. `widths`, by pool: how many calls all processes together may have under
  // way; absent: each as many as one alone. All of it outlives it.
  SeatedPace(PaceKeeper& own, SharedCells& seat, std::optional<SharedRates> rates = {},
             std::vector<std::optional<std::size_t>> widths = {})
      : own_(own),
        seat_(seat),
        rates_(std::move(rates)),
        widths_(std::move(widths)),
        under_way_(widths_.size()) {}

  PoolPace Of(PoolIndex pool) const override {
    PoolPace pace = own_.Of(pool);
    if (!seat_.MaySend()) {
      pace.width = 0;
    } else if (pool < widths_.size() && widths_[pool]) {
      pace.width = std::min(pace.width, PartOf(*widths_[pool]));
    }
    return pace;
  }
  TimePoint ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) const override {
    return rates_ ? rates_->ReadyAt(pool, tokens, now) : own_.ReadyAt(pool, tokens, now);
  }
  PaceMark OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) override {
    if (rates_) rates_->OnSend(pool, tokens, now);
    return own_.OnSend(pool, tokens, now);
  }
  void Return(PoolIndex pool, std::int64_t tokens) override {
    if (rates_) rates_->Return(pool, tokens);
    own_.Return(pool, tokens);
  }
  void OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) override {
    if (rates_ && news.pace.wait && (news.says_wait || news.pace.too_fast))
      rates_->Pause(pool, *news.pace.wait + news.jitter);
    own_.OnReply(pool, news, now);
  }
  void OnUnderWay(PoolIndex pool, std::size_t calls) override {
    if (pool < widths_.size()) under_way_[pool] = calls;
    own_.OnUnderWay(pool, calls);
  }
  // As often as one likes: the others learn as soon as they may have their parts.
  void MakeRoom() {
    for (PoolIndex pool = 0; pool < widths_.size(); ++pool) {
      if (widths_[pool] && under_way_[pool] > PartOf(*widths_[pool])) return;
    }
    seat_.MakeRoom();
  }

 private:
  // The remainder goes to those that came first. Whoever has no room yet has none.
  std::size_t PartOf(std::size_t width) const {
    const Standing& standing = seat_.standing();
    if (!standing.is_known) return 0;
    const auto living = static_cast<std::size_t>(standing.living);
    return width / living + (static_cast<std::size_t>(standing.rank) < width % living ? 1 : 0);
  }

  PaceKeeper& own_;
  SharedCells& seat_;
  mutable std::optional<SharedRates> rates_;
  std::vector<std::optional<std::size_t>> widths_;
  std::vector<std::size_t> under_way_;  // by pool
};

}  // namespace assay
