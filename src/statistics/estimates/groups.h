// Estimates the means of groups of cases, the mean over all cases (micro) and the mean of the groups' means
// (macro), each with its 95 % interval.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "statistics/estimates/mean.h"

namespace assay {

// Each group counts the same, however many cases it has. Groups are fixed; their cases were drawn.
struct MacroEstimate {
  std::uint32_t groups = 0;  // with a case that has a value
  std::optional<double> mean = {};
  std::optional<double> se = {};
  std::optional<double> df = {};  // Welch's; absent where nothing varies
  std::optional<double> effective_cases = {};
  std::optional<double> quantile = {};
  std::optional<Interval> interval = {};  // 95 %
  MeanMethod method = MeanMethod::kNone;
  Why why = Why::kNone;  // why there is no interval
};

struct GroupMeans {
  std::vector<MeanEstimate> groups;  // by the number of the group
  MeanEstimate micro;                // over the cases of all groups
  MacroEstimate macro;
};

// `group_of`: by case, the number of its group, below `count`.
GroupMeans EstimateGroups(const Sample& sample, std::span<const std::uint32_t> group_of, std::uint32_t count,
                          const Design& design);

// The mean over the cases for which `is_in` is not 0: groups may overlap. By case.
MeanEstimate EstimatePart(const Sample& sample, std::span<const std::uint8_t> is_in, const Design& design);

}  // namespace assay
