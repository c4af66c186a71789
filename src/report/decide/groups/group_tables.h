// Group tables: the means and pass rates of a run by groups of its cases, by tags or by languages, with the
// mean over all cases (micro) and the mean of the groups (macro).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/decide/groups/group_by.h"
#include "report/decide/run_statistics.h"
#include "spec/report/report.h"
#include "statistics/estimates/groups.h"

namespace assay {

inline constexpr std::string_view kNoGroup = "(none)";  // of cases that name none

// Which cases belong together, in one dimension.
struct GroupSplit {
  std::string by;                                 // "group", "group.2", "tag", "lang"
  std::vector<std::string> names;                 // as they first appear, kNoGroup last; tags by name
  std::vector<std::uint32_t> of;                  // by case, its group; empty: groups overlap
  std::vector<std::vector<std::uint32_t>> cases;  // by group, where they overlap; else empty

  bool overlaps() const { return of.empty(); }
};
// One for each dimension that some case names; none if the suite has none. Of more than kGroupsShownMax
// groups, `names` alone is there.
inline constexpr std::size_t kGroupsShownMax = 1000;
std::vector<GroupSplit> SplitsOf(const Suite& suite, GroupBy by);

struct PartMean {
  MeanEstimate score;
  MeanEstimate passes;         // the pass rate
  std::uint64_t left_out = 0;  // cases that count and were asked, without a score
};

struct MacroMean {
  MacroEstimate score;
  MacroEstimate passes;
};

struct VariantGroups {
  VariantIndex variant = 0;
  std::vector<PartMean> groups;  // by group of the split
  PartMean micro;
  std::optional<MacroMean> macro;  // absent where groups overlap
};

struct GroupTable {
  GroupSplit split;
  std::vector<VariantGroups> variants;  // in suite order; empty: there are too many groups
};
// Of a run that ended early there are no intervals.
std::vector<GroupTable> GroupTablesOf(const Suite& suite, const RunStatistics& statistics, GroupBy by);
// The splits of the suite's own groups, and what else is asked for, each once.
std::vector<GroupTable> GroupTablesOf(const Suite& suite, const RunStatistics& statistics,
                                      std::optional<GroupBy> also);

// The names of a case's groups in each dimension of the suite, kNoGroup where it names none.
std::size_t CountDimensions(const Suite& suite);
std::string_view GroupOf(const Case& the_case, std::size_t dimension);
// "group", "group.2"
std::string DimensionName(std::size_t dimension);

}  // namespace assay
