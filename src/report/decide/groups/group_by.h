// GroupBy: by what the cases of a run are split for tables of means.
#pragma once

#include <optional>
#include <string_view>

namespace assay {

enum class GroupBy { kGroup, kTag, kLang };
std::optional<GroupBy> FindGroupBy(std::string_view name);  // "group", "tag", "lang"
// What a suite lacks that has no such table, and what to do.
std::string_view NoGroupsText(GroupBy by);

}  // namespace assay
