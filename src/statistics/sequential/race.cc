// Looks, drops and the end of a race.
#include "statistics/sequential/race.h"

#include <algorithm>
#include <cmath>

namespace assay {

std::string_view RaceEndName(RaceEnd end) {
  constexpr std::string_view kNames[] = {"open", "first", "equal", "tie", "all"};
  return kNames[static_cast<std::size_t>(end)];
}

Race::Race(const UnitTable& table, std::size_t variants, RaceQuestion question)
    : table_(&table), question_(question), is_in_race_(variants, true) {}

PairQuestion Race::pair_question() const {
  return {.promise = question_.promise,
          .margin = 0,
          .within = question_.within,
          .share = std::max<std::size_t>(variants(), 2) - 1};
}

std::vector<std::size_t> Race::in_race() const {
  std::vector<std::size_t> left;
  for (std::size_t variant = 0; variant < variants(); ++variant) {
    if (is_in_race_[variant]) left.push_back(variant);
  }
  return left;
}

std::uint64_t Race::UnitsAsked(std::size_t variant) const {
  const auto found = std::find_if(dropped_.begin(), dropped_.end(),
                                  [variant](const DroppedVariant& one) { return one.variant == variant; });
  return found == dropped_.end() ? n_ : found->after;
}

// The highest mean; within noise of each other, the first of the suite.
std::optional<std::size_t> Race::LeaderOf(std::uint64_t n, std::span<const Sample> samples) const {
  std::optional<std::size_t> leader;
  double highest = 0;
  for (const std::size_t variant : in_race()) {
    const std::optional<double> mean = MeanOfUnits(*table_, samples[variant].cases, n);
    if (!mean) continue;
    const bool is_higher = *mean - highest > kNoise * std::max(std::abs(*mean), std::abs(highest));
    if (leader && !is_higher) continue;
    leader = variant;
    highest = *mean;
  }
  return leader;
}

void Race::EndIfDecided(const RaceLook& look) {
  bool is_one_left = true;
  bool is_tie = false;
  for (const RacePair& pair : look.pairs) {
    if (pair.look.state == PairState::kLeads) continue;
    if (pair.look.state != PairState::kEqual && pair.look.state != PairState::kTie) return;
    is_one_left = false;
    is_tie = is_tie || pair.look.state == PairState::kTie;
  }
  end_ = is_one_left ? RaceEnd::kFirst : is_tie ? RaceEnd::kTie : RaceEnd::kEqual;
}

void Race::Look(std::uint64_t n, std::span<const Sample> samples) {
  if (end_ != RaceEnd::kOpen || variants() < 2) return;
  const std::optional<std::size_t> leader = LeaderOf(n, samples);
  if (!leader) return;
  n_ = n;
  RaceLook& look = looks_.emplace_back(RaceLook{.n = n, .leader = *leader});
  for (const std::size_t variant : in_race()) {
    if (variant == *leader) continue;
    const PairLook pair =
        LookAtPair(*table_, samples[*leader].cases, samples[variant].cases, pair_question(), n);
    look.pairs.push_back({.against = variant, .look = pair});
    if (pair.state != PairState::kLeads) continue;
    is_in_race_[variant] = false;
    dropped_.push_back({.variant = variant, .after = n, .by = leader});
  }
  EndIfDecided(look);
}

void Race::GiveUp(std::size_t variant, std::uint64_t after) {
  if (!is_in_race_[variant]) return;
  is_in_race_[variant] = false;
  dropped_.push_back({.variant = variant, .after = after});
}

void Race::Finish() {
  if (end_ != RaceEnd::kOpen) return;
  end_ = RaceEnd::kAll;
  n_ = table_->units();
}

Race FollowRace(const UnitTable& table, std::span<const Sample> samples, RaceQuestion question,
                std::span<const std::uint64_t> places) {
  Race race(table, samples.size(), question);
  for (const std::uint64_t n : places) {
    race.Look(n, samples);
    if (race.end() != RaceEnd::kOpen) return race;
  }
  race.Finish();
  return race;
}

}  // namespace assay
