// The means of groups of cases as JSON values (docs/cli.md, `groups`).
#pragma once

#include <optional>
#include <span>

#include "report/decide/groups/group_tables.h"
#include "text/value.h"

namespace assay {

// [{by, variant, groups: [{group, cases, …}], micro, macro}], an entry for each dimension and variant.
// `only`: of this variant alone.
Value GroupsValue(const Suite& suite, std::span<const GroupTable> tables,
                  std::optional<VariantIndex> only = {});
// Of the suite's own groups, and what else is asked for.
Value GroupsValue(const Suite& suite, const RunStatistics& statistics, std::optional<GroupBy> also);

}  // namespace assay
