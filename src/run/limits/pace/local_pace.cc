// Adapts the width of each pool to its service's replies, and applies pauses and limits a minute.
#include "run/limits/pace/local_pace.h"

#include <algorithm>
#include <map>

namespace assay {

LocalPace::LocalPace(std::span<const Pool> pools, const RunLimits& limits, const RetryPolicy& retry)
    : retry_(retry) {
  std::map<std::string, std::size_t, std::less<>> places;
  for (const Pool& pool : pools) {
    const std::string_view provider = ProviderOfPool(pool.name);
    const auto [place, is_new] = places.try_emplace(std::string(provider), limiters_.size());
    Lane& lane = lanes_.emplace_back();
    lane.width_max = lane.width = static_cast<double>(WidthOf(pool, limits));
    lane.limiter = place->second;
    if (!is_new) continue;
    const ProviderLimits allowed = limits.Of(provider);
    Limiter& limiter = limiters_.emplace_back();
    if (allowed.requests_per_min) limiter.requests = RequestBucket(*allowed.requests_per_min);
    if (allowed.tokens_per_min) limiter.tokens = TokenBucket(*allowed.tokens_per_min);
  }
}

PoolPace LocalPace::Of(PoolIndex pool) const {
  const Lane& lane = lanes_[pool];
  const double width = std::max(1.0, std::min(lane.width, lane.left.value_or(lane.width)));
  // One alone finds out whether the service is ready again.
  PoolPace pace{.width = lane.waits_in_row > 0 ? 1 : static_cast<std::size_t>(width),
                .paused_until = lane.paused_until};
  if (lane.waits_since) pace.gives_up_at = *lane.waits_since + retry_.patience;
  return pace;
}

TimePoint LocalPace::ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) const {
  const Limiter& limiter = limiters_[lanes_[pool].limiter];
  TimePoint ready = now;
  if (limiter.requests) ready = std::max(ready, limiter.requests->ReadyAt(1, now));
  if (limiter.tokens) ready = std::max(ready, limiter.tokens->ReadyAt(static_cast<double>(tokens), now));
  return ready;
}

PaceMark LocalPace::OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) {
  Limiter& limiter = limiters_[lanes_[pool].limiter];
  if (limiter.requests) limiter.requests->Take(1, now);
  if (limiter.tokens) limiter.tokens->Take(static_cast<double>(tokens), now);
  return ++last_mark_;
}

void LocalPace::Return(PoolIndex pool, std::int64_t tokens) {
  Limiter& limiter = limiters_[lanes_[pool].limiter];
  if (limiter.tokens) limiter.tokens->Return(static_cast<double>(tokens));
}

// A call came back too fast. Calls that were under way together count as one sign: true for the first.
bool LocalPace::Narrow(Lane& lane, PaceMark mark) const {
  if (mark < lane.narrowed_at) return false;
  lane.width = std::max(1.0, lane.width / 2);
  lane.narrowed_at = last_mark_ + 1;
  return true;
}

// Before the pool is asked again: as long as the service says, and a little more; else longer each time.
std::chrono::microseconds LocalPace::PauseOf(const Lane& lane, const PaceNews& news) const {
  if (news.pace.wait) return *news.pace.wait + news.jitter;
  const std::int64_t base = std::chrono::microseconds(retry_.base).count();
  const std::int64_t cap = std::chrono::microseconds(retry_.cap).count();
  constexpr int kDoublingsMost = 20;
  return std::chrono::microseconds(
      std::min(cap, base << std::clamp(lane.waits_in_row - 1, 0, kDoublingsMost)));
}

// Where nothing is left and the service says until when, it will leave again what it once did. Replies
// overtake each other: an earlier call that had more before it says nothing new.
void LocalPace::TakeLeft(Lane& lane, const PaceNews& news) {
  if (!news.pace.requests_left) return;
  const auto left = static_cast<double>(*news.pace.requests_left);
  lane.left_most = std::max(lane.left_most, left + 1);
  if (lane.left && news.mark < lane.left_mark && left > *lane.left) return;
  lane.left = left == 0 && news.pace.says_until ? lane.left_most : left;
  lane.left_mark = std::max(lane.left_mark, news.mark);
}

void LocalPace::TakeWait(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now) const {
  if (is_new_sign) ++lane.waits_in_row;
  if (!lane.waits_since) lane.waits_since = now;
  if (!is_new_sign && !news.pace.wait) return;
  const TimePoint until = std::min<TimePoint>(now + PauseOf(lane, news), *lane.waits_since + retry_.patience);
  lane.paused_until = std::max(lane.paused_until, until);
}

void LocalPace::OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) {
  Lane& lane = lanes_[pool];
  const bool is_new_sign = (news.pace.too_fast || news.says_wait) && Narrow(lane, news.mark);
  if (news.outcome == ReplyClass::kOk) lane.width = std::min(lane.width_max, lane.width + 1 / lane.width);
  if (news.outcome == ReplyClass::kOk) TakeLeft(lane, news);
  if (news.says_wait) return TakeWait(lane, news, is_new_sign, now);
  if (news.outcome != ReplyClass::kRetry) {
    lane.waits_since.reset();
    if (news.mark >= lane.narrowed_at) lane.waits_in_row = 0;
  }
  // A pause that comes with a failure of one call alone (a 503 of one server) is that call's.
  if (news.pace.wait && (news.pace.too_fast || news.outcome == ReplyClass::kOk))
    lane.paused_until = std::max(lane.paused_until, now + *news.pace.wait);
}

}  // namespace assay
