// Splits the cases of a suite by what they say of themselves, and estimates each part.
#include "report/decide/groups/group_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "report/aggregate.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

struct GroupByRow {
  GroupBy by;
  std::string_view name;
  std::string_view none;
};
constexpr GroupByRow kGroupBys[] = {
    {GroupBy::kGroup, "group", "no case names a group: write `group:` into the prompts"},
    {GroupBy::kTag, "tag", "no case has a tag: write `tags:` into the prompts"},
    {GroupBy::kLang, "lang", "no case names a language: the cases of InfiBench do, by `lang:`"},
};

// The language of a case of InfiBench, which its own members tell; "" of any other.
std::string_view LangOf(const Case& the_case) {
  const Value* fields = the_case.details.Find("fields");
  const Value* lang = fields == nullptr ? nullptr : fields->Find("lang");
  return lang != nullptr && lang->is_string() ? std::string_view(lang->AsString()) : std::string_view();
}

// Groups of which each case names one, or none.
template <class NameOf>
std::optional<GroupSplit> SplitBy(const Suite& suite, std::string by, const NameOf& name_of) {
  GroupSplit split{.by = std::move(by), .names = {}, .of = {}, .cases = {}};
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  bool some_name_none = false;
  for (const Case& the_case : suite.cases) {
    const std::string_view name = name_of(the_case);
    some_name_none = some_name_none || name.empty();
    if (name.empty() || !numbers.emplace(name, split.names.size()).second) continue;
    split.names.emplace_back(name);
  }
  if (split.names.empty()) return std::nullopt;
  const auto none = static_cast<std::uint32_t>(split.names.size());
  if (some_name_none) split.names.emplace_back(kNoGroup);
  if (split.names.size() > kGroupsShownMax) return split;
  split.of.reserve(suite.cases.size());
  for (const Case& the_case : suite.cases) {
    const auto found = numbers.find(name_of(the_case));
    split.of.push_back(found == numbers.end() ? none : found->second);
  }
  return split;
}

std::optional<GroupSplit> SplitByTag(const Suite& suite) {
  std::map<std::string_view, std::vector<std::uint32_t>> tagged;
  for (std::uint32_t i = 0; i < suite.cases.size(); ++i) {
    for (const std::string& tag : *suite.cases[i].tags) {
      std::vector<std::uint32_t>& cases = tagged[tag];
      if (cases.empty() || cases.back() != i) cases.push_back(i);  // a case may name a tag twice
    }
  }
  if (tagged.empty()) return std::nullopt;
  GroupSplit split{.by = "tag", .names = {}, .of = {}, .cases = {}};
  for (auto& [tag, cases] : tagged) {
    split.names.emplace_back(tag);
    if (tagged.size() <= kGroupsShownMax) split.cases.push_back(std::move(cases));
  }
  return split;
}

// What all variants share.
struct GroupInput {
  const Suite& suite;
  const RunStatistics& statistics;
  const GroupSplit& split;
  Design design;  // of scores
  Design passes;

  bool Counts(std::size_t i, VariantIndex variant) const {
    return suite.cases[i].Asks(variant) && design.WeightOf(i) > 0;
  }
};

// The share of its attempts that pass, as the value of each case.
Sample PassShares(const std::vector<PassCount>& counts) {
  Sample sample;
  for (const PassCount& count : counts) {
    CaseValue& value = sample.cases.emplace_back();
    if (count.scored == 0) continue;
    value.value = static_cast<double>(count.passed) / static_cast<double>(count.scored);
    value.scored = static_cast<std::uint32_t>(count.scored);
  }
  return sample;
}

void CountLeftOut(const GroupInput& input, const Sample& scores, VariantGroups& result) {
  std::vector<bool> is_left(scores.cases.size());
  for (std::size_t i = 0; i < scores.cases.size(); ++i) {
    is_left[i] = scores.cases[i].scored == 0 && input.Counts(i, result.variant);
    if (!is_left[i]) continue;
    ++result.micro.left_out;
    if (!input.split.overlaps()) ++result.groups[input.split.of[i]].left_out;
  }
  for (std::size_t g = 0; g < input.split.cases.size(); ++g) {
    for (const std::uint32_t i : input.split.cases[g]) result.groups[g].left_out += is_left[i] ? 1 : 0;
  }
}

// Bounds that hold whenever a run ends are made of all cases; those of parts are not.
void DropIntervals(VariantGroups& groups) {
  for (PartMean& part : groups.groups) {
    part.score.interval.reset();
    part.passes.interval.reset();
  }
  groups.micro.score.interval.reset();
  groups.micro.passes.interval.reset();
  if (!groups.macro) return;
  groups.macro->score.interval.reset();
  groups.macro->passes.interval.reset();
}

VariantGroups GroupsOfVariant(const GroupInput& input, VariantIndex variant) {
  const Sample& scores = input.statistics.standings.scores.samples[variant];
  const Sample passes = PassShares(input.statistics.reliability.passes[variant]);
  const GroupSplit& split = input.split;
  const auto count = static_cast<std::uint32_t>(split.names.size());
  VariantGroups result;
  result.variant = variant;
  result.groups.resize(count);
  if (split.overlaps()) {
    for (std::size_t g = 0; g < count; ++g) {
      std::vector<std::uint8_t> is_in(scores.cases.size());
      for (const std::uint32_t i : split.cases[g]) is_in[i] = 1;
      result.groups[g].score = EstimatePart(scores, is_in, input.design);
      result.groups[g].passes = EstimatePart(passes, is_in, input.passes);
    }
    result.micro.score = EstimateMean(scores, input.design);
    result.micro.passes = EstimateMean(passes, input.passes);
  } else {
    GroupMeans of_scores = EstimateGroups(scores, split.of, count, input.design);
    GroupMeans of_passes = EstimateGroups(passes, split.of, count, input.passes);
    for (std::size_t g = 0; g < count; ++g) {
      result.groups[g].score = of_scores.groups[g];
      result.groups[g].passes = of_passes.groups[g];
    }
    result.micro.score = of_scores.micro;
    result.micro.passes = of_passes.micro;
    result.macro = MacroMean{.score = of_scores.macro, .passes = of_passes.macro};
  }
  CountLeftOut(input, scores, result);
  if (input.statistics.is_early) DropIntervals(result);
  return result;
}

}  // namespace

std::optional<GroupBy> FindGroupBy(std::string_view name) {
  for (const GroupByRow& row : kGroupBys) {
    if (row.name == name) return row.by;
  }
  return std::nullopt;
}

std::string_view NoGroupsText(GroupBy by) {
  const auto* const found = std::find_if(std::begin(kGroupBys), std::end(kGroupBys),
                                         [by](const GroupByRow& row) { return row.by == by; });
  return found->none;
}

std::size_t CountDimensions(const Suite& suite) {
  std::size_t most = 0;
  for (const Case& the_case : suite.cases) most = std::max(most, the_case.groups->size());
  return most;
}

std::string_view GroupOf(const Case& the_case, std::size_t dimension) {
  const std::vector<std::string>& groups = the_case.groups;
  const bool is_named = dimension < groups.size() && !groups[dimension].empty();
  return is_named ? std::string_view(groups[dimension]) : kNoGroup;
}

std::string DimensionName(std::size_t dimension) {
  return dimension == 0 ? std::string("group") : fmt::format("group.{}", dimension + 1);
}

std::vector<GroupSplit> SplitsOf(const Suite& suite, GroupBy by) {
  std::vector<GroupSplit> splits;
  const auto add = [&splits](std::optional<GroupSplit> split) {
    if (split) splits.push_back(*std::move(split));
  };
  if (by == GroupBy::kTag) add(SplitByTag(suite));
  if (by == GroupBy::kLang) add(SplitBy(suite, "lang", LangOf));
  const std::size_t dimensions = by == GroupBy::kGroup ? CountDimensions(suite) : 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    add(SplitBy(suite, DimensionName(d), [d](const Case& the_case) {
      const std::vector<std::string>& groups = the_case.groups;
      return d < groups.size() ? std::string_view(groups[d]) : std::string_view();
    }));
  }
  return splits;
}

std::vector<GroupTable> GroupTablesOf(const Suite& suite, const RunStatistics& statistics, GroupBy by) {
  std::vector<GroupTable> tables;
  for (GroupSplit& split : SplitsOf(suite, by)) {
    GroupTable& table = tables.emplace_back(GroupTable{.split = std::move(split), .variants = {}});
    if (table.split.names.size() > kGroupsShownMax) continue;
    GroupInput input{.suite = suite,
                     .statistics = statistics,
                     .split = table.split,
                     .design = statistics.standings.scores.design(),
                     .passes = {}};
    input.passes = input.design;
    input.passes.range = ScoreRange{0, 1};
    for (VariantIndex v = 0; v < suite.variants.size(); ++v)
      table.variants.push_back(GroupsOfVariant(input, v));
  }
  return tables;
}

std::vector<GroupTable> GroupTablesOf(const Suite& suite, const RunStatistics& statistics,
                                      std::optional<GroupBy> also) {
  std::vector<GroupTable> tables = GroupTablesOf(suite, statistics, GroupBy::kGroup);
  if (!also || *also == GroupBy::kGroup) return tables;
  for (GroupTable& table : GroupTablesOf(suite, statistics, *also)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace assay
