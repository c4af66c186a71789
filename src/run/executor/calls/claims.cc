// Remembers what is to be claimed, freed and looked up again, and who is waited for.
#include "run/executor/calls/claims.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace assay {

namespace {

// When what others ask is looked up again.
constexpr std::chrono::milliseconds kLookAgainAfter{250};
// When people are told who asks it, and how often.
constexpr std::chrono::seconds kNameHoldersAfter{60};

}  // namespace

LookedUp LookUp(Store& store, CallClaims& claims, EpochRange epochs, Keys keys) {
  LookedUp looked{.keys = keys.claimed, .found = std::vector<std::optional<Exchange>>()};
  looked.keys.insert(looked.keys.end(), keys.looked_up.begin(), keys.looked_up.end());
  if (!keys.freed.empty()) {
    if (const Status freed = claims.Free(keys.freed, epochs.last); !freed) {
      looked.found = freed.error();
      return looked;
    }
  }
  if (!keys.named.empty()) {
    const Result<std::vector<ClaimHolder>> holders = claims.HoldersOf(keys.named, epochs.last);
    if (!holders) {
      looked.found = holders.error();
      return looked;
    }
    looked.holders = HoldersText(*holders);
  }
  if (!keys.claimed.empty()) {
    Result<std::vector<bool>> mine = claims.Claim(keys.claimed, epochs.last);
    if (!mine) {
      looked.found = std::move(mine).error();
      return looked;
    }
    looked.claimed = *std::move(mine);
  }
  if (!looked.keys.empty()) looked.found = store.Find(looked.keys, epochs);
  return looked;
}

bool Claims::IsNeeded(const Call& call) const {
  return world_.deps.claims.AreNeeded() && !call.is_claimed && !call.prepared.recorded &&
         !IsAnsweredHere(call.prepared.request);
}

void Claims::Free(Call& call) {
  if (std::exchange(call.is_claimed, false)) to_free_.push_back(call.prepared.key);
}

void Claims::OnElsewhere(const Digest& key) {
  const TimePoint now = world_.Now();
  look_again_.emplace(now + kLookAgainAfter, key);
  if (elsewhere_.emplace(key, now).second)
    name_holders_at_ = std::min(name_holders_at_, now + kNameHoldersAfter);
}

void Claims::OnAnswered(const Digest& key) {
  if (elsewhere_.erase(key) > 0 && elsewhere_.empty()) world_.progress.elsewhere.clear();
}

void Claims::OnHolders(const std::string& holders) {
  if (elsewhere_.empty()) world_.progress.elsewhere.clear();
  if (holders.empty() || elsewhere_.empty()) return;
  const auto oldest = std::min_element(elsewhere_.begin(), elsewhere_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  world_.progress.elsewhere =
      fmt::format("{} that another process makes, the first for {}: {}", elsewhere_.size(),
                  SecondsText(world_.Now() - oldest->second), holders);
}

void Claims::LookAgain(bool at_once, std::vector<Digest>& keys) {
  const TimePoint now = world_.Now();
  while (!look_again_.empty() && (at_once || look_again_.begin()->first <= now)) {
    keys.push_back(look_again_.begin()->second);
    look_again_.erase(look_again_.begin());
  }
}

Keys Claims::Take() {
  return {.claimed = std::exchange(to_claim_, {}),
          .looked_up = {},
          .freed = std::exchange(to_free_, {}),
          .named = ToBeNamed()};
}

// Those that have been waited for so long that people want to know for whom.
std::vector<Digest> Claims::ToBeNamed() {
  std::vector<Digest> named;
  const TimePoint now = world_.Now();
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

std::string Claims::Text() const {
  if (elsewhere_.empty()) return {};
  const std::string& told = world_.progress.elsewhere;
  return told.empty() ? fmt::format("{} that another process makes", elsewhere_.size()) : told;
}

}  // namespace assay
