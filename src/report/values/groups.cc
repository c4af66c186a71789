// Builds an object for each dimension of groups and each variant.
#include "report/values/groups.h"

#include "report/values/json.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

Map PartMap(const PartMean& part) {
  return Object{{"cases", CountValue(part.score.cases)},
                {"cases_left_out", CountValue(part.left_out)},
                {"mean", NumberOrNull(part.score.mean)},
                {"se", NumberOrNull(part.score.se)},
                {"interval", IntervalValue(part.score.interval)},
                {"why", TextOrNull(WhyCode(part.score.why))},
                {"pass_rate", NumberOrNull(part.passes.mean)},
                {"pass_interval", IntervalValue(part.passes.interval)}};
}

Value MacroValue(const std::optional<MacroMean>& macro) {
  if (!macro) return Null{};
  return Object{{"groups", CountValue(std::uint64_t{macro->score.groups})},
                {"mean", NumberOrNull(macro->score.mean)},
                {"se", NumberOrNull(macro->score.se)},
                {"df", NumberOrNull(macro->score.df)},
                {"interval", IntervalValue(macro->score.interval)},
                {"why", TextOrNull(WhyCode(macro->score.why))},
                {"pass_rate", NumberOrNull(macro->passes.mean)},
                {"pass_interval", IntervalValue(macro->passes.interval)}};
}

}  // namespace

Value GroupsValue(const Suite& suite, std::span<const GroupTable> tables, std::optional<VariantIndex> only) {
  List list;
  for (const GroupTable& table : tables) {
    for (const VariantGroups& variant : table.variants) {
      if (only && variant.variant != *only) continue;
      List groups;
      for (std::size_t g = 0; g < variant.groups.size(); ++g) {
        Map group = Object{{"group", table.split.names[g]}};
        for (Member& member : PartMap(variant.groups[g])) group.Append(member.key, std::move(member.value));
        groups.emplace_back(std::move(group));
      }
      list.emplace_back(Object{{"by", table.split.by},
                               {"variant", suite.variants[variant.variant].id},
                               {"groups", std::move(groups)},
                               {"micro", PartMap(variant.micro)},
                               {"macro", MacroValue(variant.macro)}});
    }
  }
  return list;
}

Value GroupsValue(const Suite& suite, const RunStatistics& statistics, std::optional<GroupBy> also) {
  return GroupsValue(suite, GroupTablesOf(suite, statistics, also));
}

}  // namespace assay
