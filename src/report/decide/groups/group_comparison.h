// Compares two variants by groups of the cases that both have, with the difference over all cases (micro) and
// the mean of the groups' differences (macro).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/decide/comparison.h"
#include "report/decide/groups/group_by.h"
#include "statistics/estimates/groups.h"

namespace assay {

// Over the cases of a group that both have a score for.
struct GroupDifference {
  std::string group;
  PairedEstimate paired;  // A - B
  MeanEstimate mean_a;
  MeanEstimate mean_b;
  std::optional<double> pass_rate_a;
  std::optional<double> pass_rate_b;
  std::optional<double> p;  // Holm's over the groups of the table
};

struct MacroDifference {
  MacroEstimate difference;
  std::optional<double> mean_a;
  std::optional<double> mean_b;
  std::optional<double> pass_rate_a;
  std::optional<double> pass_rate_b;
};

struct GroupDifferences {
  std::string by;  // "group", "group.2", "tag", "lang"
  std::vector<GroupDifference> groups;
  GroupDifference micro;                 // its p is not corrected
  std::optional<MacroDifference> macro;  // absent where groups overlap
};
// One for each dimension that the suite of A names; groups without a case of both are left out.
std::vector<GroupDifferences> CompareGroups(const Contender& a, const Contender& b,
                                            std::span<const CasePair> pairs, GroupBy by);

}  // namespace assay
