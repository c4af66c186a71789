// Keeps the blocks that were drawn, and draws the next one before the last one is used.
#include "run/limits/pace/shared_rates.h"

#include <algorithm>

namespace assay {

namespace {

constexpr std::chrono::milliseconds kLookEvery{5};      // while a draw is under way
constexpr std::chrono::milliseconds kDrawnBefore{250};  // the end of the last block

TimePoint EndOf(const auto& block) {
  return block.starts + std::chrono::microseconds(static_cast<std::int64_t>(
                            static_cast<double>(block.every.count()) * (block.used + block.units)));
}

}  // namespace

SharedRates::SharedRates(std::span<const Pool> pools, const RunLimits& limits, SharedCells& seat)
    : seat_(seat) {
  for (const Pool& pool : pools) {
    const std::string provider(ProviderOfPool(pool.name));
    const ProviderLimits allowed = limits.Of(provider);
    const auto add = [&](const std::optional<double>& per_minute, const char* what,
                         bool is_spread) -> Limit* {
      if (!per_minute) return nullptr;
      const std::string name = provider + what;
      return &limits_
                  .try_emplace(name, Limit{.name = name, .per_minute = *per_minute, .is_spread = is_spread})
                  .first->second;
    };
    of_pool_.push_back({.requests = add(allowed.requests_per_min, " requests", true),
                        .tokens = add(allowed.tokens_per_min, " tokens", false)});
  }
}

void SharedRates::Take() {
  for (const RateDrawn& drawn : seat_.TakeRates()) {
    Limit& limit = limits_.at(drawn.name);
    limit.is_drawing = false;
    const TimePoint starts = drawn.at + drawn.block.starts_in;
    if (drawn.block.units > 0) {
      limit.blocks.push_back({.starts = starts, .every = drawn.block.every, .units = drawn.block.units});
    } else {
      limit.again_at = starts;
    }
  }
}

void SharedRates::Draw(Limit& limit, double units) {
  limit.is_drawing = true;
  seat_.Draw(RateWish{.name = limit.name,
                      .per_minute = limit.per_minute,
                      .units = units,
                      .returned = std::exchange(limit.returned, 0),
                      .pause = std::exchange(limit.pause, std::chrono::microseconds(0))});
}

TimePoint SharedRates::ReadyIn(Limit& limit, double units, TimePoint now) {
  while (!limit.blocks.empty() &&
         (limit.blocks.front().units <= 0 || limit.blocks.front().starts + kBlockHolds <= now))
    limit.blocks.pop_front();
  double there = 0;
  TimePoint ready = now;
  for (const Block& block : limit.blocks) {
    const double place = limit.is_spread ? block.used : 0;
    ready = std::max(ready, block.starts + std::chrono::microseconds(static_cast<std::int64_t>(
                                               place * static_cast<double>(block.every.count()))));
    there += block.units;
    if (there >= units) break;
  }
  const bool is_enough = there >= units;
  const bool ends_soon = limit.blocks.empty() || EndOf(limit.blocks.back()) - kDrawnBefore <= now;
  if (!limit.is_drawing && now >= limit.again_at && (!is_enough || ends_soon)) {
    Draw(limit, is_enough ? std::min(units, 1.0) : units - there);
    Take();
    if (!limit.is_drawing && !is_enough) return now + kLookEvery;
  }
  if (is_enough) return ready;
  return limit.is_drawing ? now + kLookEvery : std::max(limit.again_at, now + kLookEvery);
}

TimePoint SharedRates::ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) {
  Take();
  const Limits& limits = of_pool_[pool];
  TimePoint ready = now;
  if (limits.tokens != nullptr) ready = ReadyIn(*limits.tokens, static_cast<double>(tokens), now);
  // A request is drawn when its tokens are there.
  if (limits.requests != nullptr && ready <= now) ready = ReadyIn(*limits.requests, 1, now);
  return ready;
}

void SharedRates::Use(Limit& limit, double units, TimePoint now) {
  for (Block& block : limit.blocks) {
    if (block.starts > now) break;
    const double part = std::min(units, block.units);
    block.units -= part;
    block.used += part;
    units -= part;
  }
}

void SharedRates::OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) {
  const Limits& limits = of_pool_[pool];
  if (limits.requests != nullptr) Use(*limits.requests, 1, now);
  if (limits.tokens != nullptr) Use(*limits.tokens, static_cast<double>(tokens), now);
}

void SharedRates::Return(PoolIndex pool, std::int64_t tokens) {
  if (Limit* limit = of_pool_[pool].tokens) limit->returned += static_cast<double>(tokens);
}

void SharedRates::Pause(PoolIndex pool, std::chrono::microseconds wait) {
  Limit* limit = of_pool_[pool].requests != nullptr ? of_pool_[pool].requests : of_pool_[pool].tokens;
  if (limit == nullptr) return;
  limit->pause = std::max(limit->pause, wait);
  limit->blocks.clear();
  limit->again_at = {};
  if (!limit->is_drawing) Draw(*limit, 0);
}

}  // namespace assay
