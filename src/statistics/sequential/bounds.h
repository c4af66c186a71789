// Bounds for a mean that hold however often one looks: bets against every mean that it could have
// (Waudby-Smith & Ramdas 2020, 2024; Stark 2023). If a mean is true, money that bets against it grows to 1/α
// with probability α at most (Ville 1939), so a mean against which it grew so far is ruled out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "statistics/sample.h"

namespace assay {

inline constexpr std::size_t kBettors = 5;

// For one bound, lower or upper.
struct BoundRule {
  std::optional<std::uint64_t> population = {};  // the values are its first, in random order; absent: endless
  double alpha = 0.025;                          // for one side
};

// How much a bettor stakes for each unit of spread, from careful to bold, where `planned` values may come.
std::vector<double> StakesOf(double alpha, std::uint64_t planned);

// Values in the order in which they came, all within `range`. One of these answers for any rule.
class BettingBounds {
 public:
  BettingBounds(std::span<const double> values, const ScoreRange& range, std::uint64_t planned);

  // Whether the lower bound lies above `mean`, or the upper one below it: without looking for the bound.
  bool LiesAbove(double mean, const BoundRule& rule) const;
  bool LiesBelow(double mean, const BoundRule& rule) const;

  // All means below the first, or above the second, are ruled out. They move towards each other only, and
  // may cross, with probability 2 alpha at most.
  double Lower(const BoundRule& rule) const;
  double Upper(const BoundRule& rule) const;

 private:
  // Values as shares of the range, from its low end or from its high end.
  enum class From { kLow, kHigh };

  // Whether the money against means up to `mean` ever grew above what rules them out, or as far as that.
  bool GrowsAbove(double mean, const BoundRule& rule, From from) const;
  bool Reaches(double mean, const BoundRule& rule, From from) const;
  template <class IsEnough>
  bool Bet(double mean, const BoundRule& rule, From from, const IsEnough& is_enough) const;
  bool HasAll(const BoundRule& rule) const { return rule.population == scaled_.size(); }
  double MeanOfAll() const;
  double LowerShare(const BoundRule& rule, From from) const;

  std::vector<double> scaled_;  // 0 to 1
  std::vector<double> calm_;    // 1 over the spread of the values before each
  ScoreRange range_;
  std::uint64_t planned_ = 0;
};

}  // namespace assay
