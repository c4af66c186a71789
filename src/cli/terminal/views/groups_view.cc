// Builds tables of groups, group by group, and the lines below them.
#include "cli/terminal/views/groups_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/terminal/text_table.h"
#include "engine/words.h"
#include "report/decide/factors.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

constexpr std::size_t kGroupColumnsMax = 32;
constexpr std::string_view kNoGroupNumber = "–";

// What a row of the table tells.
struct RowNumbers {
  std::string cases;
  std::optional<double> mean;
  std::optional<Interval> interval;
  std::optional<double> pass_rate;
  Why why = Why::kNone;
};

RowNumbers NumbersOf(const PartMean& part) {
  std::string cases = CountText(part.score.cases);
  if (part.left_out > 0) cases += fmt::format(" ({} left out)", CountText(part.left_out));
  return {std::move(cases), part.score.mean, part.score.interval, part.passes.mean, part.score.why};
}

RowNumbers NumbersOf(const MacroMean& macro) {
  return {Counted(macro.score.groups, "group"), macro.score.mean, macro.score.interval, macro.passes.mean,
          macro.score.why};
}

// In the order of the ranking.
std::vector<VariantIndex> RankedVariants(const RunStatistics& statistics) {
  std::vector<VariantIndex> variants;
  const Ranking& ranking = statistics.standings.ranking;
  for (const RankPlace& place : ranking.places) variants.push_back(static_cast<VariantIndex>(place.variant));
  for (const VariantNumber variant : ranking.unranked) variants.push_back(static_cast<VariantIndex>(variant));
  return variants;
}

class TableOfGroups {
 public:
  TableOfGroups(const Suite& suite, const RunStatistics& statistics, const GroupTable& table)
      : statistics_(statistics),
        table_(table),
        names_(SpokenNames(suite)),
        variants_(RankedVariants(statistics)),
        text_({{table.split.by},
               {"#", Align::kRight},
               {"variant"},
               {"cases", Align::kRight},
               {statistics.standings.scores.title, Align::kRight},
               {"95 %", Align::kRight},
               {"passed", Align::kRight}}) {}

  std::string Text(const Screen& screen) {
    const std::vector<std::string>& names = table_.split.names;
    for (std::size_t g = 0; g < names.size(); ++g) {
      AddRows(CutToWidth(Printable(names[g]), kGroupColumnsMax),
              [g](const VariantGroups& each) { return NumbersOf(each.groups[g]); });
    }
    AddRows("micro (all cases)", [](const VariantGroups& each) { return NumbersOf(each.micro); });
    if (!table_.split.overlaps())
      AddRows("macro (mean of groups)", [](const VariantGroups& each) { return NumbersOf(*each.macro); });
    return text_.Text(screen) + Notes();
  }

 private:
  template <class NumbersOfVariant>
  void AddRows(const std::string& group, const NumbersOfVariant& numbers_of) {
    bool is_first = true;
    for (const VariantIndex variant : variants_) {
      const RowNumbers numbers = numbers_of(table_.variants[variant]);
      text_.Add({is_first ? group : std::string(), std::to_string(variant + 1), Printable(names_[variant]),
                 numbers.cases, numbers.mean ? MeanPoints(*numbers.mean) : std::string(kNoGroupNumber),
                 numbers.interval ? IntervalPoints(*numbers.interval) : std::string(kNoGroupNumber),
                 PercentText(numbers.pass_rate)});
      is_first = false;
      ++rows_;
      if (!numbers.interval && numbers.mean) whys_.push_back(numbers.why);
    }
  }

  // Why intervals are missing, and how far the others hold.
  std::string Notes() const {
    constexpr std::size_t kManyRows = 10;
    std::string text;
    for (std::size_t i = 0; i < whys_.size() && !statistics_.is_early; ++i) {
      const auto here = whys_.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(whys_.begin(), here, whys_[i]) == here)
        text += fmt::format("–: no interval, since {}\n", WhyText(whys_[i]));
    }
    if (statistics_.is_early) text += "–: no interval of a group: the run was stopped early\n";
    if (rows_ >= kManyRows && !statistics_.is_early)
      text += "each interval holds by itself: about one of 20 does not contain the true mean\n";
    return text;
  }

  const RunStatistics& statistics_;
  const GroupTable& table_;
  std::vector<std::string> names_;
  std::vector<VariantIndex> variants_;
  TextTable text_;
  std::vector<Why> whys_;
  std::size_t rows_ = 0;
};

}  // namespace

std::string GroupsText(const Suite& suite, const RunStatistics& statistics, GroupBy by,
                       const Screen& screen) {
  const std::vector<GroupTable> tables = GroupTablesOf(suite, statistics, by);
  if (tables.empty()) return fmt::format("\n{}\n", NoGroupsText(by));
  std::string text;
  for (const GroupTable& table : tables) {
    text += table.variants.empty()
                ? fmt::format("\n{}: {} groups are too many for a table (at most {})\n", table.split.by,
                              CountText(table.split.names.size()), CountText(kGroupsShownMax))
                : "\n" + TableOfGroups(suite, statistics, table).Text(screen);
  }
  return text;
}

}  // namespace assay
