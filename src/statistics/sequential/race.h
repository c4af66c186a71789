// Which of several variants is first? At each look the one that is ahead is compared with the others, and
// those that can no longer be first are dropped and asked no more (Even-Dar, Mannor & Mansour 2006).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "statistics/sequential/pair.h"

namespace assay {

struct RaceQuestion {
  Promise promise = Promise::kSuite;
  std::optional<double> within = {};  // differences below it are settled
};

enum class RaceEnd : std::uint8_t { kOpen, kFirst, kEqual, kTie, kAll };
std::string_view RaceEndName(RaceEnd end);  // "open", "first"

// The leader against one of the others.
struct RacePair {
  std::size_t against = 0;
  PairLook look;
};
struct RaceLook {
  std::uint64_t n = 0;  // units
  std::size_t leader = 0;
  std::vector<RacePair> pairs = {};  // in suite order
};

struct DroppedVariant {
  std::size_t variant = 0;
  std::uint64_t after = 0;             // units
  std::optional<std::size_t> by = {};  // who leads it; absent: it was given up
};

// A race as far as it was looked at. It depends on the scores and the places of its looks alone: whoever
// makes the same looks again, such as a run that goes on, has the same race.
class Race {
 public:
  // `table` is borrowed. Of one variant there is nothing to look at.
  Race(const UnitTable& table, std::size_t variants, RaceQuestion question);

  // After n units that are closed for every variant in the race; n grows from look to look. `samples`, by
  // variant, have a case for each of the design's; those of the first n units are read. After the end it
  // does nothing.
  void Look(std::uint64_t n, std::span<const Sample> samples);
  // A variant that gets no answers any more, after so many units: it has no rank.
  void GiveUp(std::size_t variant, std::uint64_t after);
  // Every unit is asked of whoever is in the race.
  void Finish();

  const std::vector<RaceLook>& looks() const { return looks_; }
  const std::vector<DroppedVariant>& dropped() const { return dropped_; }
  std::vector<std::size_t> in_race() const;  // in suite order
  bool IsInRace(std::size_t variant) const { return is_in_race_[variant]; }
  RaceEnd end() const { return end_; }
  std::uint64_t n() const { return n_; }                // of the last look, or of the end
  std::uint64_t UnitsAsked(std::size_t variant) const;  // of it, up to n()
  std::size_t variants() const { return is_in_race_.size(); }
  const RaceQuestion& question() const { return question_; }
  PairQuestion pair_question() const;  // for BoundsOfPair of the pairs of looks()
  const UnitTable& table() const { return *table_; }

 private:
  std::optional<std::size_t> LeaderOf(std::uint64_t n, std::span<const Sample> samples) const;
  void EndIfDecided(const RaceLook& look);

  const UnitTable* table_;
  RaceQuestion question_;
  std::vector<bool> is_in_race_;
  std::vector<RaceLook> looks_;
  std::vector<DroppedVariant> dropped_;
  RaceEnd end_ = RaceEnd::kOpen;
  std::uint64_t n_ = 0;
};

// From look to look until it is decided or all is asked.
Race FollowRace(const UnitTable& table, std::span<const Sample> samples, RaceQuestion question,
                std::span<const std::uint64_t> places);

}  // namespace assay
