// Where several processes work on one run, one of them asks what several need: a call is claimed when the
// limits let it go, and looked up once more. What another one asks holds no place here; it is looked up again
// until it is there, or free.
#include <fmt/core.h>

#include <algorithm>

#include "base/limits.h"
#include "run/executor/calls/claimed_look_up.h"
#include "run/executor/calls/dispatcher.h"

namespace assay {

// Recordings and documents cost nobody anything.
bool Dispatcher::IsToBeClaimed(const Call& call) const {
  return world_.deps.claims != nullptr && !call.is_claimed && !call.prepared.recorded &&
         !IsAnsweredHere(call.prepared.request);
}

// As many as may be under way are claimed ahead, so that no place waits for the store; and half of them at a
// time, since a trip for one costs as much.
void Dispatcher::ClaimWaiting(PoolIndex index, TimePoint now) {
  LivePool& pool = pools_[index];
  if (closed_) {  // they are told why they are not asked
    pool.waiting.insert(pool.waiting.end(), pool.unclaimed.begin(), pool.unclaimed.end());
    pool.unclaimed.clear();
  }
  if (pool.unclaimed.empty()) return;
  std::size_t width = limits::kMaxInFlightMax;
  if (index < FirstBatchPool()) {
    const PoolPace pace = world_.pace.Of(index);
    if (pace.paused_until > now) return;
    width = pace.width;
  }
  if (2 * (pool.claiming + pool.waiting.size()) > width) return;
  while (!pool.unclaimed.empty() && pool.claiming + pool.waiting.size() < width) {
    Call& call = *pool.unclaimed.front();
    if (MayWaitForService(call) && outages_.IsDown(call.prepared.request, now)) {
      pool.ready_at = outages_.NextRelease(now);
      return;
    }
    Passage passage = PassageOf(call, now);
    if (passage.door == Door::kLater) {
      pool.ready_at = passage.ready_at;
      return;
    }
    pool.unclaimed.pop_front();
    if (passage.door == Door::kShut) {
      TurnAway(call, std::move(passage));
      continue;
    }
    ++pool.claiming;
    to_claim_.push_back(call.prepared.key);
  }
}

// Whether it may go: it is this process's, or nobody is asked anything any more.
bool Dispatcher::OnClaimed(Call& call, bool is_mine) {
  --pools_[call.pool].claiming;
  call.is_claimed = is_mine;
  return is_mine || closed_.has_value();
}

void Dispatcher::OnAskedElsewhere(const Digest& key) {
  const TimePoint now = Now();
  look_again_.emplace(now + kLookAgainAfter, key);
  if (elsewhere_.emplace(key, now).second)
    name_holders_at_ = std::min(name_holders_at_, now + kNameHoldersAfter);
}

// Those that have been waited for so long that people want to know for whom.
std::vector<Digest> Dispatcher::ToBeNamed() {
  std::vector<Digest> named;
  const TimePoint now = Now();
  if (now < name_holders_at_) return named;
  TimePoint first = kNever;
  for (const auto& [key, since] : elsewhere_) {
    first = std::min(first, since);
    if (now - since >= kNameHoldersAfter) named.push_back(key);
  }
  const TimePoint from = named.empty() ? first : now;
  name_holders_at_ = from == kNever ? kNever : from + kNameHoldersAfter;
  return named;
}

// "": nobody was asked for, or all of it is free by now.
void Dispatcher::TellHolders(const std::string& holders) {
  if (elsewhere_.empty()) world_.progress.elsewhere.clear();
  if (holders.empty() || elsewhere_.empty()) return;
  const auto oldest = std::min_element(elsewhere_.begin(), elsewhere_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  world_.progress.elsewhere =
      fmt::format("{} that another process makes, the first for {} s: {}", elsewhere_.size(),
                  std::chrono::duration_cast<std::chrono::seconds>(Now() - oldest->second).count(), holders);
}

void Dispatcher::LookAgain() {
  const TimePoint now = Now();
  while (!look_again_.empty() && (look_again_.begin()->first <= now || closed_)) {
    to_look_up_.push_back(look_again_.begin()->second);
    look_again_.erase(look_again_.begin());
  }
}

// Nobody asks it here after all: another process may.
void Dispatcher::Free(Call& call) {
  if (std::exchange(call.is_claimed, false)) to_free_.push_back(call.prepared.key);
}

void Dispatcher::Break(std::span<const BrokenModel> models) {
  for (const BrokenModel& each : models) breakers_.Break(each.key, each.model, each.message);
}

}  // namespace assay
