// Measures the rate of a limit before each refusal, and spaces calls by it.
#include "run/limits/pace/rates/send_rate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "run/limits/pace/seconds.h"

namespace assay {

namespace {

constexpr double kLess = 0.95;           // of what was let in, right after a refusal
constexpr double kTrusted = 0.985;       // of it, while the estimate is trusted
constexpr double kMorePerSecond = 0.05;  // without a refusal
constexpr double kShortestS = 0.25;      // from which a rate can be read
constexpr double kReadFromS = 2;         // of late, or as many calls as here
constexpr std::size_t kReadFromCalls = 20;
constexpr double kSlowest = 0.2;  // a second, to begin with
constexpr double kHalf = 0.5;
constexpr double kSentMost = 1.1;     // of what was let in
constexpr double kTrustedLeast = 10;  // calls
constexpr double kTrustedMost = 256;
constexpr double kUsed = 0.75;
constexpr double kIdle = 0.8;
constexpr double kClosest = 0.9;  // of the time between two calls

}  // namespace

void SendRate::OnSend(TimePoint now) {
  constexpr std::size_t kSendsMost = 1'024;
  sends_.push_back({.at = now, .let_in = LetIn()});
  ++sent_;
  const auto is_old = [&] {
    return sends_.size() > kReadFromCalls && SecondsBetween(sends_.front().at, now) > kReadFromS;
  };
  while (sends_.size() > kSendsMost || is_old()) sends_.pop_front();
  if (!IsKnown()) return;
  const double every_s = 1 / PerSecondAt(now);
  // Whoever was late catches up slowly: a bucket may hold one call alone.
  next_at_ = std::max(next_at_ + Micros(every_s), now + Micros(kClosest * every_s));
  if (grows_since_ == kNever && empty_ && LetIn() - empty_->let_in > trusted_for_) grows_since_ = now;
}

// Right after a refusal a little less than was let in; then more for each second or each few calls, and the
// faster the fewer calls that rests on. What was confirmed is trusted for a while.
double SendRate::PerSecondAt(TimePoint now) const {
  constexpr double kFewCalls = 8;
  const double more = kMorePerSecond * std::min(1.0, per_second_ / kFewCalls) + kHalf / rests_on_;
  const TimePoint since = grows_since_ != kNever ? grows_since_ : empty_ ? empty_->at : now;
  const double since_s = std::max(SecondsBetween(since, now), 0.0);
  if (grows_since_ == kNever) return per_second_ * std::min(kLess + more * since_s, kTrusted);
  return per_second_ * kTrusted * std::pow(1 + more, since_s);
}

// Over the last seconds, but no longer than since nothing was left for the first time.
double SendRate::LetInPerSecond(const Count& empty) const {
  Count from = sends_.empty() ? empty : sends_.front();
  if (IsKnown() && first_empty_.at > from.at) from = first_empty_;
  return (empty.let_in - from.let_in) / std::max(SecondsBetween(from.at, empty.at), kShortestS);
}

void SendRate::OnRefusal(bool is_news, std::optional<std::chrono::microseconds> wait, TimePoint now) {
  ++refused_;
  if (!is_news) {
    // It was under way when the last refusal came, and was counted as let in.
    if (empty_) --empty_->let_in;
    if (last_round_ > 0) --last_round_;
    return;
  }
  Learn({.at = now, .let_in = LetIn()}, wait);
  if (IsKnown()) next_at_ = std::max(next_at_, now + Micros(1 / per_second_));
}

void SendRate::Learn(const Count& empty, std::optional<std::chrono::microseconds> wait) {
  constexpr int kInRowMost = 4;
  constexpr std::chrono::seconds kShortWait{1};
  const bool is_short = wait && wait->count() > 0 && *wait < kShortWait;
  const double let_in = empty.let_in - (empty_ ? empty_->let_in : 0);
  refused_in_row_ = let_in < 1 ? refused_in_row_ + 1 : 0;
  if (!IsKnown()) {
    if (!is_short) return Follow(empty);
    const double likely = kHalf / std::chrono::duration<double>(*wait).count();
    return Start(std::max(LetInPerSecond(empty), likely), empty);
  }
  if (refused_in_row_ < kInRowMost) {
    Measure(empty);
    // A bucket that let in no more than this since it was empty: the missing part of one call takes so long.
    constexpr double kFew = 2;
    if (is_short && let_in <= kFew)
      per_second_ = std::min(per_second_, 1 / std::chrono::duration<double>(*wait).count());
    return;
  }
  per_second_ = 0;  // nothing is let through any more
  empty_.reset();
  opened_.reset();
  last_round_ = -1;
}

// Rounds of a window let in as many as the last one did, and take long.
void SendRate::Follow(const Count& empty) {
  const double let_in = empty.let_in - (empty_ ? empty_->let_in : 0);
  const double took_s = empty_ ? SecondsBetween(empty_->at, empty.at) : 0;
  if (empty_ && (let_in < 1 || took_s < kShortestS)) return;
  constexpr double kAlike = 0.1;  // as a part of them
  const double before = std::exchange(last_round_, let_in);
  const bool is_unlike = before >= 0 && std::abs(let_in - before) > std::max(1.0, kAlike * before);
  const bool is_short = before >= 0 && took_s < std::chrono::duration<double>(kRoundsLeast).count();
  if (!is_unlike && !is_short) {
    empty_ = empty;
    return;
  }
  // How much had gathered while nobody asked is not known: rather too fast, as that is noticed sooner.
  const Count from = opened_.value_or(*empty_);
  const double active_s = std::max(SecondsBetween(from.at, empty.at), kShortestS);
  Start(std::max(let_in / took_s, (empty.let_in - from.let_in) / active_s), empty);
}

// Where there is room again so soon, a limit fills all the time, or its round ended by chance.
void SendRate::OnOpen(std::chrono::microseconds after, TimePoint now) {
  constexpr std::chrono::milliseconds kSoon{1'500};
  opened_ = {.at = now, .let_in = LetIn()};
  if (!IsKnown() && empty_ && after < kSoon) Start(LetInPerSecond(*empty_), *opened_);
}

void SendRate::OnSpent(TimePoint now) {
  if (IsKnown()) return;
  empty_ = {.at = now, .let_in = LetIn()};
  last_round_ = -1;
}

void SendRate::OnEmpty(double most, std::chrono::microseconds wait, TimePoint now) {
  if (IsKnown()) return;
  const bool is_short = wait < kRoundsLeast;
  const bool is_second = is_short && empty_answer_at_ && now - *empty_answer_at_ < 2 * kRoundsLeast;
  empty_answer_at_.reset();
  if (is_short) empty_answer_at_ = now;
  if (!is_second) return;
  const Count empty{.at = now, .let_in = LetIn()};
  const double wait_s = std::max(std::chrono::duration<double>(wait).count(), kShortestS);
  Start(std::max(LetInPerSecond(empty), most / wait_s), empty);
}

void SendRate::Start(double per_second, const Count& empty) {
  per_second_ = std::max(per_second, kSlowest);
  rests_on_ = 2;
  trusted_for_ = 0;
  grows_since_ = kNever;
  next_at_ = empty.at;
  refused_in_row_ = 0;
  empty_ = first_empty_ = empty;
}

// A rate that is refused at once again was too high by far, or was hit by chance. What was let in of late
// lies below the limit while the rate grows, and what is sent now lies above it.
void SendRate::Measure(const Count& empty) {
  constexpr double kConfirmed = 0.1;
  const double before = per_second_;
  const double let_in = empty.let_in - empty_->let_in;
  if (SecondsBetween(empty_->at, empty.at) < kShortestS || let_in < 1) {
    per_second_ *= trusted_for_ > 0 ? kLess : kHalf;
  } else {
    const double was_let_in = LetInPerSecond(empty);
    const double at_once = PerSecondAt(empty.at);
    const double sent = std::min(at_once, was_let_in * kSentMost);
    per_second_ = std::max((was_let_in + sent) / 2, kHalf * before);
    if (was_let_in < kUsed * at_once) per_second_ = std::max(per_second_, at_once * kIdle);
    const double rested_on = rests_on_;
    rests_on_ = std::max(empty.let_in - std::max(first_empty_.let_in, sends_.front().let_in), 1.0);
    const bool is_confirmed = std::min(rests_on_, rested_on) >= kTrustedLeast &&
                              std::abs(per_second_ - before) < kConfirmed * before;
    trusted_for_ = is_confirmed ? std::clamp(2 * trusted_for_, kTrustedLeast, kTrustedMost) : 0;
  }
  grows_since_ = kNever;
  empty_ = empty;
}

void SendRate::Pause(TimePoint until) {
  if (IsKnown()) next_at_ = std::max(next_at_, until);
}

TimePoint SendRate::ReadyAt(TimePoint now) const { return IsKnown() ? std::max(now, next_at_) : now; }

}  // namespace assay
