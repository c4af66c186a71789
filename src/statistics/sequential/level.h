// Estimates one variant's mean to within a half width, before all cases are asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statistics/estimates/mean.h"
#include "statistics/sequential/units.h"

namespace assay {

struct LevelLook {
  std::uint64_t n = 0;  // units
  Interval bounds;      // 95 %, of the mean over the whole suite
  std::uint64_t left_out = 0;
};
// Of the first n units. A case without a score counts as the lowest score for the one bound and as the
// highest for the other. After all units both are exact.
LevelLook LookAtLevel(const UnitTable& table, std::span<const CaseValue> scores, std::uint64_t n);

// From look to look until the bounds are no further apart than twice `half`, or all is asked.
struct LevelCourse {
  std::vector<LevelLook> looks = {};
  std::uint64_t n = 0;
  bool is_decided = false;
  std::uint64_t left_out = 0;
};
bool IsDecided(const LevelLook& look, double half);
LevelCourse FollowLevel(const UnitTable& table, std::span<const CaseValue> scores, double half,
                        std::span<const std::uint64_t> places);

}  // namespace assay
