// Adapts the width of each pool to its service's replies, and applies pauses and limits a minute.
#include "run/limits/pace/local_pace.h"

#include <algorithm>
#include <map>
#include <utility>

#include "run/limits/pace/seconds.h"

namespace assay {

namespace {

constexpr double kFirstWidth = 10;
constexpr double kLatencyGrowth = 1.5;  // beyond it a width is not doubled any more

// Of calls of a lane whose width grows: its service gets to say that they are too many before all of them are
// under way.
std::chrono::microseconds SpacingOf(double latency_s, double width) {
  constexpr double kFirstS = 0.004;
  constexpr double kMostS = 0.05;
  if (latency_s == 0) return Micros(kFirstS);
  return Micros(std::min(latency_s / (2 * width), kMostS));
}

// So long after a look that was not refused it was let in.
std::chrono::microseconds SilenceOf(double refusal_s) {
  constexpr double kLeastS = 0.1;
  constexpr double kMoreS = 0.05;
  return Micros(std::max(2 * refusal_s + kMoreS, kLeastS));
}

// Nobody looks later than by a part of the round, nor sleeps through the end of a minute, which most rounds
// are.
TimePoint LatestLookAt(TimePoint round_at, TimePoint sent_at, std::chrono::microseconds base) {
  constexpr int kPart = 6;
  constexpr std::chrono::minutes kMinute{1};
  constexpr std::chrono::milliseconds kAfter{20};
  const auto least = std::max<std::chrono::microseconds>(4 * base, (sent_at - round_at) / kPart);
  const TimePoint minute = round_at + kMinute + kAfter;
  return sent_at < minute && minute < sent_at + least ? minute : sent_at + least;
}

}  // namespace

LocalPace::LocalPace(std::span<const Pool> pools, const RunLimits& limits, const RetryPolicy& retry)
    : retry_(retry) {
  std::map<std::string, std::size_t, std::less<>> places;
  for (const Pool& pool : pools) {
    const std::string_view provider = ProviderOfPool(pool.name);
    const auto [place, is_new] = places.try_emplace(std::string(provider), limiters_.size());
    Lane& lane = lanes_.emplace_back();
    const ProviderLimits allowed = limits.Of(provider);
    lane.width_max = lane.width = static_cast<double>(WidthOf(pool, limits));
    lane.grows = allowed.grows_to.has_value();
    lane.lends = lane.grows && !allowed.max_in_flight;
    if (lane.grows) lane.width = std::min(lane.width_max, kFirstWidth);
    lane.limiter = place->second;
    if (!is_new) continue;
    Limiter& limiter = limiters_.emplace_back();
    if (allowed.requests_per_min) limiter.requests = RequestBucket(*allowed.requests_per_min);
    if (allowed.tokens_per_min) limiter.tokens = TokenBucket(*allowed.tokens_per_min);
  }
}

PoolPace LocalPace::Of(PoolIndex pool) const {
  const Lane& lane = lanes_[pool];
  PoolPace pace{.width = static_cast<std::size_t>(std::max(1.0, WidthOfRound(lane))),
                .paused_until = lane.paused_until};
  if (lane.waits_since) pace.gives_up_at = *lane.waits_since + retry_.patience;
  return pace;
}

// One alone finds out whether the service is ready again, or lets in more than the last time.
double LocalPace::WidthOfRound(const Lane& lane) const {
  const auto under_way = static_cast<double>(lane.under_way);
  if (lane.look_at && lane.refusal_s == 0) return under_way;
  if (lane.look_at || lane.IsShut() || lane.IsUsedUp()) return std::min(lane.width_max, under_way + 1);
  const double most = WidthFor(lane);
  const double by_word = lane.credit ? under_way + *lane.credit : most;
  const double by_round = lane.room > 0 ? under_way + lane.RoomLeft() : most;
  return std::min({most, by_word, by_round});
}

// Its own, and what other pools of its provider do not need.
double LocalPace::WidthFor(const Lane& lane) const {
  if (!lane.lends) return lane.width;
  double idle = 0;
  for (const Lane& other : lanes_) {
    if (&other != &lane && other.limiter == lane.limiter && other.lends)
      idle += other.width - static_cast<double>(other.under_way);
  }
  return std::max(1.0, lane.width + idle);
}

TimePoint LocalPace::ReadyAt(PoolIndex pool, std::int64_t tokens, TimePoint now) const {
  const Limiter& limiter = limiters_[lanes_[pool].limiter];
  TimePoint ready = limiter.rate.ReadyAt(now);
  const Lane& lane = lanes_[pool];
  if (lane.grows) ready = std::max(ready, lane.next_at);
  if (lane.look_at && lane.refusal_s > 0) ready = std::max(ready, *lane.look_at + SilenceOf(lane.refusal_s));
  if (limiter.requests) ready = std::max(ready, limiter.requests->ReadyAt(1, now));
  if (limiter.tokens) ready = std::max(ready, limiter.tokens->ReadyAt(static_cast<double>(tokens), now));
  return ready;
}

PaceMark LocalPace::OnSend(PoolIndex pool, std::int64_t tokens, TimePoint now) {
  Lane& lane = lanes_[pool];
  ++last_mark_;
  if (lane.look_at) TakeSilence(lane, now);
  if (lane.IsShut() || lane.IsUsedUp()) {
    lane.look_at = now;
    lane.look_mark = last_mark_;
  }
  lane.sent_at = now;
  ++lane.sent_in_round;
  if (!lane.round_at) lane.round_at = now;
  Limiter& limiter = limiters_[lane.limiter];
  limiter.rate.OnSend(now);
  if (lane.credit && !lane.IsShut()) *lane.credit -= 1;
  const bool has_room = lane.room > 0;
  lane.next_at = std::max(lane.next_at, now) + SpacingOf(has_room ? 0 : lane.latency_s, lane.width);
  if (limiter.requests) limiter.requests->Take(1, now);
  if (limiter.tokens) limiter.tokens->Take(static_cast<double>(tokens), now);
  return last_mark_;
}

void LocalPace::Return(PoolIndex pool, std::int64_t tokens) {
  Limiter& limiter = limiters_[lanes_[pool].limiter];
  if (limiter.tokens) limiter.tokens->Return(static_cast<double>(tokens));
}

// A call came back too fast; those that were under way with it say the same. One that went alone to look
// whether there is room says nothing of the width; nor does a refusal of calls that go at a rate.
void LocalPace::TakeSign(Lane& lane, const PaceNews& news) const {
  const bool has_rate = news.says_wait && limiters_[lane.limiter].rate.IsKnown();
  const bool was_alone = lane.IsShut() || lane.look_at || lane.credit.value_or(1) < 1;
  lane.round.was_refused = true;
  if (!was_alone && !has_rate) lane.width = std::max(1.0, lane.width / 2);
  lane.sign_at = last_mark_ + 1;
}

// More are let in than the last time: another round may have begun in the meantime.
void LocalPace::Exceed(Lane& lane) {
  lane.room = 0;
  lane.is_timed = false;
}

// Whoever looks and is not refused at once is let in, though his answer takes long.
void LocalPace::TakeSilence(Lane& lane, TimePoint now) {
  if (lane.refusal_s == 0 || now < *lane.look_at + SilenceOf(lane.refusal_s)) return;
  lane.look_at.reset();
  if (lane.IsShut()) {
    Open(lane, now);
  } else {
    Exceed(lane);
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
TimePoint LocalPace::LookAt(Lane& lane, bool was_refused, TimePoint now) const {
  constexpr int kClose = 8;  // as a part of the round
  if (lane.late_enough && lane.round_at && lane.is_timed) {
    const std::chrono::microseconds gap = *lane.late_enough - lane.too_early;
    const TimePoint middle = *lane.round_at + lane.too_early + gap / 2;
    if (gap > *lane.late_enough / kClose && middle > now) return middle;
    if (const TimePoint known = *lane.round_at + *lane.late_enough; known > now) return known;
  }
  constexpr int kParts = 4;
  if (lane.late_enough && !lane.is_timed)
    return std::max(
        now, lane.sent_at + std::max<std::chrono::microseconds>(retry_.base, *lane.late_enough / kParts));
  const TimePoint latest = LatestLookAt(lane.round_at.value_or(lane.sent_at), lane.sent_at, retry_.base);
  // A bucket shows itself at once: the first second has one look more.
  constexpr int kSoon = 4;
  const int looks = lane.looks++;
  const bool is_early = was_refused && lane.left_most == 0;
  std::chrono::microseconds pause = Doubled(retry_.base, is_early ? looks - 1 : looks);
  if (is_early && looks == 0) pause = retry_.base / kSoon;
  if (is_early && looks == 1) pause = retry_.base - retry_.base / kSoon;
  return std::max(now, std::min(lane.sent_at + pause, latest));
}

// Whether more is left, again and again, than a limit leaves that is filled at the end of its round alone.
bool LocalPace::FillsAllTheTime(Lane& lane, const PaceNews& news) {
  // Calls of a narrow pool are counted in any order: that looks the same for a few of them.
  constexpr int kOfNarrow = 10;
  constexpr int kOften = 4;
  const auto left = static_cast<double>(*news.pace.requests_left);
  if (lane.said_mark > 0 && news.mark > lane.said_mark) {
    const bool is_filled = left > lane.said_left - static_cast<double>(news.mark - lane.said_mark);
    lane.fills_in_row = is_filled ? lane.fills_in_row + 1 : 0;
  }
  if (news.mark > lane.said_mark) {
    lane.said_left = left;
    lane.said_mark = news.mark;
  }
  return lane.fills_in_row >= (lane.grows ? kOften : kOfNarrow);
}

// Where nothing is left and the service says until when, it will leave again what it once did. Replies and
// requests overtake each other, behind a proxy too: more is left by the word of a call alone that went after
// the last word came. What went after this call may not be counted in its word.
void LocalPace::TakeLeft(Lane& lane, const PaceNews& news) const {
  if (!news.pace.requests_left || news.mark < lane.round_mark) return;
  const auto left = static_cast<double>(*news.pace.requests_left);
  lane.left_most = std::max(lane.left_most, left + 1);
  if (FillsAllTheTime(lane, news)) {
    lane.credit.reset();
    return;
  }
  const double credit = left - static_cast<double>(last_mark_ - news.mark);
  if (lane.credit && news.mark < lane.left_mark && credit >= *lane.credit) return;
  lane.credit = left == 0 && news.pace.says_until ? lane.left_most : credit;
  lane.left_mark = last_mark_ + 1;
}

// An answer that says that it was the last of its round.
void LocalPace::TakeEmpty(Lane& lane, const PaceNews& news, TimePoint now) {
  const bool is_empty = news.pace.requests_left == 0 && news.mark >= lane.sign_at;
  if (!is_empty || (news.pace.says_until && !news.pace.is_rounded)) return;
  if (!lane.IsShut()) lane.shut_at = now;
  limiters_[lane.limiter].rate.OnSpent(now);
  lane.is_blind = !news.pace.says_until;
  lane.is_rounded = news.pace.is_rounded;
  lane.sign_at = last_mark_ + 1;
  if (lane.is_blind) lane.paused_until = std::max(lane.paused_until, LookAt(lane, false, now));
}

// As long as the service says, and a little more, but not for no time again and again; else as long as was
// learned.
void LocalPace::TakeWait(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now) const {
  // Whoever was told a moment and came a little before it was near the end of a round.
  if (!lane.IsShut()) lane.shut_at = lane.sent_at < lane.word_until ? TimePoint{} : now;
  if (is_new_sign) {
    const auto after = std::chrono::duration_cast<std::chrono::microseconds>(
        lane.sent_at - lane.round_at.value_or(lane.sent_at));
    if (!lane.IsShut() && lane.late_enough && after > *lane.late_enough) lane.is_timed = false;
    if (lane.is_blind && lane.is_timed) lane.too_early = std::max(lane.too_early, after);
    if (lane.late_enough && lane.too_early >= *lane.late_enough) lane.late_enough.reset();
    ++lane.waits_in_row;
    lane.is_blind = !news.pace.wait;
  }
  if (!lane.waits_since) lane.waits_since = now;
  if (!is_new_sign && !news.pace.wait) return;
  const TimePoint ends = *lane.waits_since + retry_.patience;
  if (!news.pace.wait) {
    lane.paused_until = std::max(lane.paused_until, std::min(LookAt(lane, true, now), ends));
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
void LocalPace::Open(Lane& lane, TimePoint now) {
  constexpr int kTellsNothing = 3;  // so few may be what a bucket held
  if (!lane.IsShut()) return;
  const bool is_first = !std::exchange(lane.was_shut, true);
  if (lane.is_blind && lane.round_at && lane.is_timed) {
    lane.late_enough = std::chrono::duration_cast<std::chrono::microseconds>(lane.sent_at - *lane.round_at);
    if (lane.too_early >= *lane.late_enough) lane.too_early = {};
  }
  limiters_[lane.limiter].rate.OnOpen(lane.sent_at - lane.shut_at, now);
  lane.round_at = lane.sent_at;
  lane.is_timed = true;
  lane.room = lane.left_most > 0 ? 0 : lane.sent_in_round - 1;
  lane.sent_in_round = 1;
  lane.round_mark = lane.look_mark;
  lane.look_at.reset();
  lane.credit = lane.left_most > 1 ? std::optional(lane.left_most - 1) : std::nullopt;
  if (is_first && lane.room < kTellsNothing) lane.room = 0;
  lane.waits_in_row = lane.looks = 0;
  lane.is_blind = lane.is_rounded = false;
}

// A service that lets calls in all the time refused one: the others go on at the rate that it lets in. A wait
// that is longer than the rate explains is another limit's.
void LocalPace::TakeRefusal(Lane& lane, const PaceNews& news, bool is_new_sign, TimePoint now) {
  Limiter& limiter = limiters_[lane.limiter];
  const bool is_counted = is_new_sign || news.mark < lane.sign_at;
  // Who looks before a round has ended is near its end, whatever the limit.
  const bool is_near_end = lane.IsShut() || lane.sent_at < lane.word_until;
  const auto told_wait = is_near_end ? std::nullopt : news.pace.wait;
  if (is_counted) limiter.rate.OnRefusal(is_new_sign, told_wait, now);
  if (is_new_sign) TakeSign(lane, news);
  if (is_new_sign && lane.sent_at < lane.word_until) lane.waits_from_sending = false;
  if (!limiter.rate.IsKnown()) {
    TakeWait(lane, news, is_new_sign, now);
    if (is_new_sign && news.pace.wait) PauseTogether(lane, now);
    return;
  }
  lane.is_blind = lane.is_rounded = false;
  lane.waits_in_row = 0;
  lane.room = 0;
  lane.credit.reset();
  if (!lane.waits_since) lane.waits_since = now;
  if (!news.pace.wait) return;
  const TimePoint until = std::min<TimePoint>(now + *news.pace.wait, *lane.waits_since + retry_.patience);
  limiter.rate.Pause(until);
}

// Pools that are to wait until the same moment have one limit: what one of them is told holds for the others.
void LocalPace::PauseTogether(const Lane& refused, TimePoint now) {
  constexpr std::chrono::milliseconds kSame{500};
  bool& is_shared = limiters_[refused.limiter].is_shared;
  for (Lane& other : lanes_) {
    if (&other == &refused || other.limiter != refused.limiter) continue;
    const auto apart = std::chrono::abs(other.paused_until - refused.paused_until);
    is_shared = is_shared || (other.paused_until > now && apart < kSame);
    if (is_shared) other.paused_until = std::max(other.paused_until, refused.paused_until);
  }
}

// As long as an answer says. Most services say it when they let its call in; whoever is refused before the
// later moment has learned that his does not.
void LocalPace::TakePause(Lane& lane, const PaceNews& news, TimePoint now) {
  const bool is_earlier = lane.waits_from_sending && !news.pace.is_rounded && !news.pace.too_fast;
  lane.word_until = std::max<TimePoint>(lane.word_until, now + *news.pace.wait);
  const TimePoint from = is_earlier ? now - news.took : now;
  lane.paused_until = std::max<TimePoint>(lane.paused_until, from + *news.pace.wait);
}

// A width that is used up is doubled after as many answers, unless its service refused some or grew slow.
void LocalPace::TakeLatency(Lane& lane, const PaceNews& news) const {
  constexpr double kNew = 0.1;  // the weight of the latest
  if (!lane.grows) return;
  const double took_s = std::chrono::duration<double>(news.took).count();
  lane.latency_s = lane.latency_s == 0 ? took_s : (1 - kNew) * lane.latency_s + kNew * took_s;
  ++lane.round.answers;
  lane.round.latency_s += took_s;
  if (lane.round.answers < lane.width) return;
  const Round round = std::exchange(lane.round, {});
  const double mean_s = round.latency_s / round.answers;
  if (lane.first_latency_s == 0) lane.first_latency_s = mean_s;
  const bool is_slow = lane.lends && mean_s > kLatencyGrowth * lane.first_latency_s;
  if (!round.was_refused && !is_slow) lane.width = std::min(lane.width_max, 2 * lane.width);
}

void LocalPace::TakeAnswer(Lane& lane, const PaceNews& news, TimePoint now) {
  Limiter& limiter = limiters_[lane.limiter];
  if (!lane.grows) lane.width = std::min(lane.width_max, lane.width + 1 / lane.width);
  TakeLatency(lane, news);
  if (news.pace.requests_left == 0 && news.pace.says_until && news.pace.wait && !news.pace.is_rounded)
    limiter.rate.OnEmpty(std::max(lane.left_most, 1.0), *news.pace.wait, now);
  if (limiter.rate.IsKnown()) {
    lane.credit.reset();
    return;
  }
  TakeLeft(lane, news);
  TakeEmpty(lane, news, now);
}

void LocalPace::OnReply(PoolIndex pool, const PaceNews& news, TimePoint now) {
  Lane& lane = lanes_[pool];
  const bool is_new_sign = (news.pace.too_fast || news.says_wait) && news.mark >= lane.sign_at;
  if (is_new_sign && !news.says_wait) TakeSign(lane, news);
  if (news.says_wait) {
    const double took_s = std::chrono::duration<double>(news.took).count();
    constexpr double kFades = 0.9;
    lane.refusal_s = std::max(kFades * lane.refusal_s, took_s);
    if (news.mark >= lane.round_mark) --lane.sent_in_round;
    TakeRefusal(lane, news, is_new_sign, now);
    if (news.mark >= lane.look_mark) lane.look_at.reset();
    return;
  }
  if (news.outcome != ReplyClass::kRetry) {
    lane.waits_since.reset();
    if (news.mark >= lane.sign_at) Open(lane, now);
    if (lane.look_at && news.mark >= lane.look_mark) Exceed(lane);
  }
  if (news.mark >= lane.look_mark) lane.look_at.reset();
  const bool is_answer = news.outcome == ReplyClass::kOk;
  if (is_answer) TakeAnswer(lane, news, now);
  // A pause that comes with a failure of one call alone (a 503 of one server) is that call's.
  const bool has_rate = is_answer && limiters_[lane.limiter].rate.IsKnown();
  if (news.pace.wait && (news.pace.too_fast || is_answer) && !lane.is_blind && !has_rate)
    TakePause(lane, news, now);
}

}  // namespace assay
