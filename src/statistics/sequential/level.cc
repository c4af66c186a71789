// Bounds of a mean, with what is missing on the safe side.
#include "statistics/sequential/level.h"

#include <algorithm>

#include "statistics/sequential/bounds.h"

namespace assay {

LevelLook LookAtLevel(const UnitTable& table, std::span<const CaseValue> scores, std::uint64_t n) {
  const BoundRule rule{.population = table.units(), .alpha = 0.025};
  const UnitValues least = LevelsOf(table, scores, 0, n);
  const UnitValues most = LevelsOf(table, scores, 1, n);
  const double lower = BettingBounds(least.values, least.range, table.units()).Lower(rule);
  const double upper = BettingBounds(most.values, most.range, table.units()).Upper(rule);
  const ScoreRange& range = table.range();
  const double width = range.high - range.low;
  return {.n = n,
          .bounds = {range.low + width * lower, std::min(range.low + width * upper, range.high)},
          .left_out = least.left_out};
}

bool IsDecided(const LevelLook& look, double half) { return look.bounds.high - look.bounds.low <= 2 * half; }

LevelCourse FollowLevel(const UnitTable& table, std::span<const CaseValue> scores, double half,
                        std::span<const std::uint64_t> places) {
  LevelCourse course;
  for (const std::uint64_t n : places) {
    const LevelLook& look = course.looks.emplace_back(LookAtLevel(table, scores, n));
    if (IsDecided(look, half)) {
      course.n = n;
      course.is_decided = true;
      course.left_out = look.left_out;
      return course;
    }
  }
  course.n = table.units();
  course.left_out = LevelsOf(table, scores, 0, course.n).left_out;
  return course;
}

}  // namespace assay
