// Formats means by group, tag or language for the terminal.
#pragma once

#include <span>
#include <string>

#include "cli/settings/screen.h"
#include "report/decide/groups/group_tables.h"

namespace assay {

// A table for each dimension: of each group and variant cases, mean, interval and pass rate, then the means
// over all cases and over the groups. A sentence where the suite has no such groups.
std::string GroupsText(const Suite& suite, const RunStatistics& statistics, GroupBy by, const Screen& screen);

}  // namespace assay
