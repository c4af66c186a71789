// Adapts the width of each pool to its service's replies, and applies pauses and limits a minute.
#include "run/limits/pace/local_pace.h"

#include <algorithm>
#include <map>
#include <utility>

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
  PoolPace pace{.width = lane.IsShut() ? 1 : static_cast<std::size_t>(width),
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
  Lane& lane = lanes_[pool];
  lane.sent_at = now;
  if (!lane.round_at) lane.round_at = now;
  Limiter& limiter = limiters_[lane.limiter];
  if (limiter.requests) limiter.requests->Take(1, now);
  if (limiter.tokens) limiter.tokens->Take(static_cast<double>(tokens), now);
  return ++last_mark_;
}

void LocalPace::Return(PoolIndex pool, std::int64_t tokens) {
  Limiter& limiter = limiters_[lanes_[pool].limiter];
  if (limiter.tokens) limiter.tokens->Return(static_cast<double>(tokens));
}

// A call came back too fast; those that were under way with it say the same. One that went alone to look
// whether there is room says nothing of the width.
void LocalPace::TakeSign(Lane& lane) const {
  const bool was_alone = lane.IsShut() || lane.left.value_or(1) < 1;
  if (!was_alone) lane.width = std::max(1.0, lane.width / 2);
  lane.sign_at = last_mark_ + 1;
}

// Of a service that does not say what its limit leaves: as many as its last round let in. Whoever goes beyond
// that goes alone; if he is let in too, nothing is known any more.
void LocalPace::TakeRoom(Lane& lane) {
  if (lane.room == 0 || lane.left_most > 0) return;
  if (lane.let_in > lane.room) {
    lane.room = 0;
    lane.left.reset();
  } else {
    lane.left = lane.room - lane.let_in;
  }
}

std::chrono::microseconds LocalPace::Doubled(std::chrono::microseconds first, int times) const {
  constexpr int kDoublingsMost = 20;
  const std::chrono::microseconds cap = retry_.cap;
  return std::min(cap, first * (std::int64_t{1} << std::clamp(times, 0, kDoublingsMost)));
}

// When one looks again whether there is room, of which nobody says anything: 1, 2, 4, 8 seconds after the
// last. How long the rounds before took is between what was too early and what was late enough: the middle
// of both is tried, until they lie close together.
TimePoint LocalPace::LookAt(Lane& lane, TimePoint now) const {
  constexpr int kClose = 8;  // as a part of the round
  if (lane.late_enough && lane.round_at) {
    const std::chrono::microseconds gap = *lane.late_enough - lane.too_early;
    const TimePoint middle = *lane.round_at + lane.too_early + gap / 2;
    if (gap > *lane.late_enough / kClose && middle > now) return middle;
    if (const TimePoint known = *lane.round_at + *lane.late_enough; known > now) return known;
  }
  return std::max(now, lane.sent_at + Doubled(retry_.base, lane.looks++));
}

// Where nothing is left and the service says until when, it will leave again what it once did. Replies and
// requests overtake each other, behind a proxy too: more is left by the word of a call alone that went after
// the last word came.
void LocalPace::TakeLeft(Lane& lane, const PaceNews& news) const {
  if (!news.pace.requests_left) return TakeRoom(lane);
  const auto left = static_cast<double>(*news.pace.requests_left);
  lane.left_most = std::max(lane.left_most, left + 1);
  if (lane.left && news.mark < lane.left_mark && left >= *lane.left) return;
  lane.left = left == 0 && news.pace.says_until ? lane.left_most : left;
  lane.left_mark = last_mark_ + 1;
}

// An answer that says that it was the last of its round.
void LocalPace::TakeEmpty(Lane& lane, const PaceNews& news, TimePoint now) const {
  const bool is_empty = news.pace.requests_left == 0 && news.mark >= lane.sign_at;
  if (!is_empty || (news.pace.says_until && !news.pace.is_rounded)) return;
  lane.is_blind = !news.pace.says_until;
  lane.is_rounded = news.pace.is_rounded;
  lane.sign_at = last_mark_ + 1;
  if (lane.is_blind) lane.paused_until = std::max(lane.paused_until, LookAt(lane, now));
}

// As long as the service says, and a little more, but not for no time again and again; else as long as was
// learned.
void LocalPace::TakeWait(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now) const {
  if (is_new_sign) {
    const auto after = std::chrono::duration_cast<std::chrono::microseconds>(
        lane.sent_at - lane.round_at.value_or(lane.sent_at));
    if (lane.is_blind) lane.too_early = std::max(lane.too_early, after);
    if (lane.late_enough && lane.too_early >= *lane.late_enough) lane.late_enough.reset();
    ++lane.waits_in_row;
    lane.is_blind = !news.pace.wait;
  }
  if (!lane.waits_since) lane.waits_since = now;
  if (!is_new_sign && !news.pace.wait) return;
  const TimePoint ends = *lane.waits_since + retry_.patience;
  if (!news.pace.wait) {
    lane.paused_until = std::max(lane.paused_until, std::min(LookAt(lane, now), ends));
    return;
  }
  constexpr int kShortest = 16;  // as a part of the first pause without a hint
  const std::chrono::microseconds least = std::min<std::chrono::microseconds>(
      retry_.base, Doubled(retry_.base / kShortest, lane.waits_in_row - 1));
  const std::chrono::microseconds pause =
      std::max<std::chrono::microseconds>(*news.pace.wait + news.jitter, least);
  lane.paused_until = std::max(lane.paused_until, std::min<TimePoint>(now + pause, ends));
}

// A call that went after the last sign was let in: another round has begun with it.
void LocalPace::Open(Lane& lane) {
  if (!lane.IsShut()) return;
  if (lane.is_blind && lane.round_at) {
    lane.late_enough = std::chrono::duration_cast<std::chrono::microseconds>(lane.sent_at - *lane.round_at);
    if (lane.too_early >= *lane.late_enough) lane.too_early = {};
  }
  lane.round_at = lane.sent_at;
  lane.room = std::exchange(lane.let_in, 0);
  lane.waits_in_row = lane.looks = 0;
  lane.is_blind = lane.is_rounded = false;
}

void LocalPace::OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) {
  Lane& lane = lanes_[pool];
  const bool is_new_sign = (news.pace.too_fast || news.says_wait) && news.mark >= lane.sign_at;
  if (is_new_sign) TakeSign(lane);
  if (news.says_wait) return TakeWait(lane, news, is_new_sign, now);
  if (news.outcome != ReplyClass::kRetry) {
    lane.waits_since.reset();
    if (news.mark >= lane.sign_at) Open(lane);
  }
  const bool is_answer = news.outcome == ReplyClass::kOk;
  if (is_answer) {
    ++lane.let_in;
    lane.width = std::min(lane.width_max, lane.width + 1 / lane.width);
    TakeLeft(lane, news);
    TakeEmpty(lane, news, now);
  }
  // A pause that comes with a failure of one call alone (a 503 of one server) is that call's.
  if (news.pace.wait && (news.pace.too_fast || is_answer) && !lane.is_blind)
    lane.paused_until = std::max(lane.paused_until, now + *news.pace.wait);
}

}  // namespace assay
